import type { Outcome } from '../../../google/method.js';
import { rules } from '../../../google/parameter-rules.js';
import { NAMING, record, text, textOf, within } from '../body.js';
import { refuse } from '../refusals.js';
import { READING, WRITING } from '../scopes.js';
import { type Channel, type Fields, newSubscriptionId, type Subscription, timeOf } from '../world.js';
import { type Call, OWNED_CHANNEL, serviceMethods } from './call.js';
import { idsOf, oneFilter, requiredText } from './filters.js';
import { listPage, PAGED, type PartMakers, partNames, presentResource, thumbnails } from './resource.js';

const SUBSCRIPTION_MAKERS: PartMakers<Subscription> = {
  snippet({ publishedAt, channelId, subscriberId }, { world }) {
    return {
      publishedAt: timeOf(publishedAt),
      ...naming(world.channels.get(channelId)),
      resourceId: { kind: 'youtube#channel', channelId },
      channelId: subscriberId,
    };
  },
  contentDetails({ channelId }, { world }) {
    const videos = [...world.videos.values()].filter(
      (video) => video.channelId === channelId && video.status.privacyStatus === 'public',
    );
    return { totalItemCount: videos.length, newItemCount: 0, activityType: 'all' };
  },
  // Subscriber details are visible only to the channel that the subscriber follows.
  subscriberSnippet({ subscriberId, channelId }, { world, me }) {
    if (channelId !== me.id) return undefined;
    return { ...naming(world.channels.get(subscriberId)), channelId: subscriberId };
  },
};

function naming(channel: Channel | undefined): Fields {
  if (channel === undefined) return {};
  const { title, description, id } = channel;
  return { title, description, thumbnails: thumbnails(`ch/${id}`) };
}

function presentSubscription(subscription: Subscription, call: Call): Fields {
  return presentResource(subscription, { kind: 'subscription', makers: SUBSCRIPTION_MAKERS, call });
}

const PARTS = partNames(SUBSCRIPTION_MAKERS);

const BODY = record(
  {
    ...NAMING,
    snippet: record(
      { resourceId: record({ kind: text, channelId: text }) },
      'publishedAt title description channelId thumbnails',
    ),
  },
  'contentDetails subscriberSnippet',
);

export const subscriptionMethods = serviceMethods('Subscription', '/subscriptions', {
  List: {
    scopes: READING,
    parameters: {
      channelId: 'text',
      id: 'texts',
      ...rules('flag', 'mine myRecentSubscribers mySubscribers'),
      forChannelId: 'text',
      order: { words: ['subscriptionOrderUnspecified', 'relevance', 'unread', 'alphabetical'] },
      ...PAGED,
      ...OWNED_CHANNEL,
    },
    parts: PARTS,
    handle: listSubscriptions,
  },
  Insert: { scopes: WRITING, parts: PARTS, body: BODY, handle: insertSubscription },
  Delete: { scopes: WRITING, parameters: { id: 'text' }, needs: ['id'], handle: deleteSubscription },
});

function insertSubscription(call: Call): Outcome {
  const { world, me, body } = call;
  const resource = within(within(body, 'snippet'), 'resourceId');
  const channelId = textOf(resource, 'channelId') ?? '';
  if (resource.kind !== 'youtube#channel' || channelId === '')
    throw refuse(400, 'publisherRequired', 'The resource id must name a channel, with its kind.');
  if (!world.channels.has(channelId))
    throw refuse(404, 'publisherNotFound', 'The resource specified in the request cannot be found.');
  if (channelId === me.id)
    throw refuse(400, 'subscriptionForbidden', 'Subscribing to your own channel is not supported.');
  const subscription = {
    id: newSubscriptionId(),
    subscriberId: me.id,
    channelId,
    publishedAt: world.now(),
  };
  const mine = [...world.subscriptions.values()].filter(({ subscriberId }) => subscriberId === me.id);
  if (mine.some((one) => one.channelId === channelId))
    throw refuse(
      400,
      'subscriptionDuplicate',
      'The subscription that you are trying to create already exists.',
    );
  world.subscriptions.set(subscription.id, subscription);
  return { body: presentSubscription(subscription, call) };
}

function deleteSubscription(call: Call): Outcome {
  const { world, me } = call;
  const subscription = world.subscriptions.get(requiredText(call, 'id'));
  if (subscription === undefined)
    throw refuse(
      404,
      'subscriptionNotFound',
      'The subscription that you are trying to delete cannot be found.',
    );
  if (subscription.subscriberId !== me.id)
    throw refuse(
      403,
      'subscriptionForbidden',
      'The request is not properly authorized to delete the subscription.',
    );
  world.subscriptions.delete(subscription.id);
  return { status: 204 };
}

const SUBSCRIPTION_FILTERS = ['channelId', 'id', 'mine', 'myRecentSubscribers', 'mySubscribers'] as const;
type Filter = (typeof SUBSCRIPTION_FILTERS)[number];

function listSubscriptions(call: Call): Outcome {
  const { parameters } = call;
  const filter = oneFilter(call, SUBSCRIPTION_FILTERS);
  const size = parameters.integer('maxResults', 5);
  const channels = idsOf(call, 'forChannelId');
  const subscriptions = find(call, filter).filter(
    ({ channelId }) => channels.length === 0 || channels.includes(channelId),
  );
  return {
    body: listPage(call, sorted(call, subscriptions, filter), {
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

function sorted({ parameters, world }: Call, subscriptions: Subscription[], filter: Filter): Subscription[] {
  const order = parameters.text('order');
  if (filter === 'myRecentSubscribers') return subscriptions.sort((a, b) => b.publishedAt - a.publishedAt);
  if (order !== 'alphabetical') return subscriptions;
  const titleOf = ({ channelId }: Subscription) => world.channels.get(channelId)?.title ?? '';
  return subscriptions.sort((a, b) => titleOf(a).localeCompare(titleOf(b)));
}
