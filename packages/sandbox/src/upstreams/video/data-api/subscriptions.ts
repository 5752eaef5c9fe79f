import type { Outcome } from '../../../google/method.js';
import { NAMING, record, text, textOf, within } from '../body.js';
import { newSubscriptionId } from '../identifiers.js';
import { refuse } from '../refusals.js';
import { READING, WRITING } from '../scopes.js';
import { type Call, serviceMethods } from './call.js';
import { requiredText } from './filters.js';
import { PAGED } from './list-page.js';
import { listSubscriptions } from './list-subscriptions.js';
import { OWNED_CHANNEL } from './owner-parameters.js';
import { partNames } from './resource.js';
import { presentSubscription, SUBSCRIPTION_MAKERS } from './subscription-parts.js';

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
      mine: 'flag',
      myRecentSubscribers: 'flag',
      mySubscribers: 'flag',
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
  const found = world.subscriptions.get(requiredText(call, 'id'));
  if (found === undefined)
    throw refuse(
      404,
      'subscriptionNotFound',
      'The subscription that you are trying to delete cannot be found.',
    );
  if (found.subscriberId !== me.id)
    throw refuse(
      403,
      'subscriptionForbidden',
      'The request is not properly authorized to delete the subscription.',
    );
  world.subscriptions.delete(found.id);
  return { status: 204 };
}
