import { within } from '../body.js';
import { newVideoId } from '../identifiers.js';
import type { Broadcast, LifeCycle } from '../live.js';
import { chatIdOf } from '../live.js';
import { refuse } from '../refusals.js';
import { MANAGING, VIEWING } from '../scopes.js';
import {
  BROADCAST_BODY,
  BROADCAST_MAKERS,
  writtenDetails,
  writtenSnippet,
  writtenStatus,
} from './broadcast-parts.js';
import type { Call } from './call.js';
import { idsOf, oneFilter } from './filters.js';
import { type KeptResource, methodsOf } from './kept-resource.js';
import { PAGED } from './list-page.js';
import { OWNED_CHANNEL } from './owner-parameters.js';

const STATES: Readonly<Record<string, readonly LifeCycle[]>> = {
  active: ['testing', 'live'],
  upcoming: ['created', 'ready'],
  completed: ['complete'],
};

export const BROADCASTS: KeptResource<Broadcast> = {
  service: 'LiveBroadcast',
  path: '/liveBroadcasts',
  kind: 'liveBroadcast',
  makers: BROADCAST_MAKERS,
  reading: VIEWING,
  writing: MANAGING,
  ofNew: OWNED_CHANNEL,
  ofChanged: OWNED_CHANNEL,
  body: BROADCAST_BODY,
  missing: 'liveBroadcastNotFound',
  itemsOf: ({ broadcasts }) => broadcasts,
  list: {
    parameters: {
      id: 'texts',
      mine: 'flag',
      broadcastStatus: { words: ['broadcastStatusFilterUnspecified', 'all', ...Object.keys(STATES)] },
      broadcastType: { words: ['broadcastTypeFilterUnspecified', 'all', 'event', 'persistent'] },
      ...PAGED,
      ...OWNED_CHANNEL,
    },
    size: 5,
    find: findBroadcasts,
  },
  insert: ({ body, me, world }) => ({
    id: newVideoId(),
    channelId: me.id,
    publishedAt: world.now(),
    snippet: writtenSnippet(body, world.now()),
    status: writtenStatus(body),
    contentDetails: writtenDetails(body),
    monetizationDetails: within(body, 'monetizationDetails'),
    lifeCycle: 'created',
  }),
  update({ body, parts, world }, broadcast) {
    if (parts.has('contentDetails') && !STATES.upcoming?.includes(broadcast.lifeCycle))
      throw refuse(403, 'modificationNotAllowed', 'A broadcast keeps its settings once it is tested.');
    return {
      ...broadcast,
      ...(parts.has('snippet') ? { snippet: writtenSnippet(body, world.now()) } : {}),
      ...(parts.has('status') ? { status: writtenStatus(body) } : {}),
      ...(parts.has('contentDetails') ? { contentDetails: writtenDetails(body) } : {}),
      ...(parts.has('monetizationDetails')
        ? { monetizationDetails: within(body, 'monetizationDetails') }
        : {}),
    };
  },
  remove({ world }, { id, lifeCycle }) {
    if (STATES.active?.includes(lifeCycle))
      throw refuse(403, 'liveBroadcastDeletionNotAllowed', 'A broadcast that runs stays: end it first.');
    for (const things of [world.messages, world.bans, world.moderators])
      for (const one of [...things.values()]) if (one.chatId === chatIdOf(id)) things.delete(one.id);
  },
};

export const liveBroadcastMethods = methodsOf(BROADCASTS);

function findBroadcasts(call: Call): Broadcast[] {
  const { world, me, parameters } = call;
  const own = [...world.broadcasts.values()].filter(({ channelId }) => channelId === me.id);
  const filter = oneFilter(call, ['broadcastStatus', 'id', 'mine']);
  const ids = idsOf(call);
  const states = STATES[parameters.text('broadcastStatus') ?? ''];
  // Broadcasts that never end are no more: every one is an event.
  if (parameters.text('broadcastType') === 'persistent') return [];
  return own
    .filter(({ id }) => filter !== 'id' || ids.includes(id))
    .filter(({ lifeCycle }) => states === undefined || states.includes(lifeCycle))
    .sort((a, b) => b.publishedAt - a.publishedAt);
}
