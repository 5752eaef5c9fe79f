import type { Outcome } from '../../../google/method.js';
import { type Check, ignored, record, text, textOf, within } from '../body.js';
import { newSubscriptionId } from '../identifiers.js';
import { refuse } from '../refusals.js';
import { READING, WRITING } from '../scopes.js';
import type { Call, Method } from './call.js';
import { requiredText } from './filters.js';
import { PAGED } from './list-page.js';
import { listSubscriptions } from './list-subscriptions.js';
import { OWNED_CHANNEL } from './owner-parameters.js';
import { partNames } from './resource.js';
import { presentSubscription, SUBSCRIPTION_MAKERS } from './subscription-parts.js';

const PARTS = partNames(SUBSCRIPTION_MAKERS);
const PATH = '/subscriptions';
const SERVICE = 'youtube.api.v3.V3DataSubscriptionService';

const BODY: Check = record({
  kind: text,
  etag: text,
  id: text,
  snippet: record({
    resourceId: record({ kind: text, channelId: text }),
    publishedAt: ignored,
    title: ignored,
    description: ignored,
    channelId: ignored,
    thumbnails: ignored,
  }),
  contentDetails: ignored,
  subscriberSnippet: ignored,
});

export const subscriptionMethods: readonly Method[] = [
  {
    name: `${SERVICE}.List`,
    verb: 'GET',
    path: PATH,
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
    units: 1,
    handle: listSubscriptions,
  },
  {
    name: `${SERVICE}.Insert`,
    verb: 'POST',
    path: PATH,
    scopes: WRITING,
    parameters: {},
    parts: PARTS,
    body: BODY,
    units: 50,
    handle: insertSubscription,
  },
  {
    name: `${SERVICE}.Delete`,
    verb: 'DELETE',
    path: PATH,
    scopes: WRITING,
    parameters: { id: 'text' },
    needs: ['id'],
    units: 50,
    handle: deleteSubscription,
  },
];

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
