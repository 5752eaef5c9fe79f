import type { Outcome } from '../../../google/method.js';
import { refuse } from '../refusals.js';
import type { Subscription } from '../world.js';
import type { Call } from './call.js';
import { idsOf, oneFilter } from './filters.js';
import { listPage } from './list-page.js';
import { presentSubscription } from './subscription-parts.js';

const SUBSCRIPTION_FILTERS = ['channelId', 'id', 'mine', 'myRecentSubscribers', 'mySubscribers'] as const;
type Filter = (typeof SUBSCRIPTION_FILTERS)[number];

export function listSubscriptions(call: Call): Outcome {
  const { parameters } = call;
  const filter = oneFilter(call, SUBSCRIPTION_FILTERS);
  const size = parameters.integer('maxResults', 5);
  const channels = idsOf(call, 'forChannelId');
  const found = find(call, filter).filter(
    ({ channelId }) => channels.length === 0 || channels.includes(channelId),
  );
  return {
    body: listPage(call, sorted(call, found, filter), {
      kind: 'subscriptionListResponse',
      size,
      present: (subscription) => presentSubscription(subscription, call),
    }),
  };
}

function find(call: Call, filter: Filter): Subscription[] {
  const { world, me, parameters } = call;
  const all = [...world.subscriptions.values()];
  switch (filter) {
    case 'id':
      return idsOf(call).flatMap((id) => world.subscriptions.get(id) ?? []);
    case 'channelId':
      return ofChannel(call, parameters.text('channelId') ?? '');
    case 'mine':
      return all.filter(({ subscriberId }) => subscriberId === me.id);
    case 'myRecentSubscribers':
    case 'mySubscribers':
      return all.filter(({ channelId }) => channelId === me.id);
  }
}

function ofChannel({ world, me }: Call, id: string): Subscription[] {
  const channel = world.channels.get(id);
  if (channel === undefined)
    throw refuse(404, 'subscriberNotFound', 'The subscriber identified with the request cannot be found.');
  if (id !== me.id && !channel.showsSubscriptions)
    throw refuse(
      403,
      'subscriptionForbidden',
      'The requester is not allowed to access the requested subscriptions.',
    );
  return [...world.subscriptions.values()].filter(({ subscriberId }) => subscriberId === id);
}

function sorted({ parameters, world }: Call, found: Subscription[], filter: Filter): Subscription[] {
  const order = parameters.text('order');
  if (filter === 'myRecentSubscribers') return found.sort((a, b) => b.publishedAt - a.publishedAt);
  if (order !== 'alphabetical') return found;
  const titleOf = ({ channelId }: Subscription) => world.channels.get(channelId)?.title ?? '';
  return found.sort((a, b) => titleOf(a).localeCompare(titleOf(b)));
}
