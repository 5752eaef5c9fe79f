import type { Outcome } from '../../../google/method.js';
import { type Check, each, record, text, textOf, withEtag, within, word } from '../body.js';
import { refuse } from '../refusals.js';
import { MANAGING, VIEWING, WRITING } from '../scopes.js';
import { type Broadcast, chatIdOf, type LifeCycle, newLiveId, newVideoId } from '../world.js';
import {
  BROADCAST_BODY,
  BROADCAST_MAKERS,
  hasMonitor,
  writtenDetails,
  writtenSnippet,
  writtenStatus,
} from './broadcast-parts.js';
import { type Call, OWNED_CHANNEL, serviceMethods } from './call.js';
import { idsOf, oneFilter, requiredText } from './filters.js';
import { isActive } from './live-streams.js';
import { methodsOf, type OwnedResource, ownItem } from './owned-resource.js';
import { PAGED, partNames, presentResource } from './resource.js';

const STATES: Readonly<Record<string, readonly LifeCycle[]>> = {
  active: ['testing', 'live'],
  upcoming: ['created', 'ready'],
  completed: ['complete'],
};

const BROADCASTS: OwnedResource<Broadcast> = {
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
  // Persistent broadcasts no longer exist in the real service, so the list is empty.
  if (parameters.text('broadcastType') === 'persistent') return [];
  return own
    .filter(({ id }) => filter !== 'id' || ids.includes(id))
    .filter(({ lifeCycle }) => states === undefined || states.includes(lifeCycle))
    .sort((a, b) => b.publishedAt - a.publishedAt);
}

const TARGETS = ['testing', 'live', 'complete'] as const;
const LONGEST_CUE = 1800;

const ofWhole: Check = (value, path) => text(typeof value === 'number' ? String(value) : value, path);
const CUEPOINT_BODY = record({
  id: text,
  etag: text,
  cueType: word('cueTypeAd'),
  ...each(ofWhole, 'durationSecs insertionOffsetTimeMs walltimeMs'),
});

/** Methods that change the state of a broadcast: bind a stream, test, go live and end. */
export const runningMethods = serviceMethods('LiveBroadcast', '/liveBroadcasts/bind', {
  Bind: {
    scopes: MANAGING,
    parameters: { id: 'text', streamId: 'text', ...OWNED_CHANNEL },
    needs: ['id'],
    parts: partNames(BROADCAST_MAKERS),
    handle: bind,
  },
  Transition: {
    path: '/liveBroadcasts/transition',
    scopes: MANAGING,
    parameters: {
      id: 'text',
      broadcastStatus: { words: ['statusUnspecified', ...TARGETS] },
      ...OWNED_CHANNEL,
    },
    needs: ['broadcastStatus', 'id'],
    parts: partNames(BROADCAST_MAKERS),
    handle: transition,
  },
  InsertCuepoint: {
    path: '/liveBroadcasts/cuepoint',
    scopes: WRITING,
    parameters: { id: 'text', part: 'texts', ...OWNED_CHANNEL },
    body: CUEPOINT_BODY,
    handle: insertCuepoint,
  },
});

const ownBroadcast = (call: Call): Broadcast => ownItem(call, requiredText(call, 'id'), BROADCASTS);

function store(call: Call, broadcast: Broadcast): Outcome {
  call.world.broadcasts.set(broadcast.id, broadcast);
  return { body: presentResource(broadcast, { kind: 'liveBroadcast', makers: BROADCAST_MAKERS, call }) };
}

// Binds a broadcast to a stream. A call without `streamId` removes the binding.
function bind(call: Call): Outcome {
  const { world, parameters } = call;
  const { streamId: _, boundAt: __, ...broadcast } = ownBroadcast(call);
  if (broadcast.lifeCycle !== 'created' && broadcast.lifeCycle !== 'ready')
    throw refuse(
      403,
      'liveBroadcastBindingNotAllowed',
      'The status of the broadcast does not allow to bind it.',
    );
  const streamId = parameters.text('streamId') ?? '';
  if (streamId === '') return store(call, { ...broadcast, lifeCycle: 'created' });
  const { id } = ownItem(call, streamId, {
    itemsOf: ({ streams }) => streams,
    missing: 'liveStreamNotFound',
  });
  return store(call, { ...broadcast, streamId: id, boundAt: world.now(), lifeCycle: 'ready' });
}

function transition(call: Call): Outcome {
  const { world, parameters } = call;
  const broadcast = ownBroadcast(call);
  const target = parameters.choice('broadcastStatus', TARGETS);
  if (target === undefined) throw refuse(400, 'statusRequired', 'The request must name a status.');
  if (target === broadcast.lifeCycle)
    throw refuse(403, 'redundantTransition', 'The broadcast already has this status.');
  if (!sourcesOf(target, broadcast).includes(broadcast.lifeCycle))
    throw refuse(
      403,
      'invalidTransition',
      'The broadcast cannot change from its status to the requested one.',
    );
  const { streamId } = broadcast;
  if (target !== 'complete' && (streamId === undefined || !isActive(world, streamId)))
    throw refuse(403, 'errorStreamInactive', 'The stream that the broadcast is bound to is inactive.');
  return store(call, {
    ...broadcast,
    lifeCycle: target,
    ...(target === 'live' ? { startedAt: world.now() } : {}),
    ...(target === 'complete' ? { endedAt: world.now() } : {}),
  });
}

/**
 * Returns the states from which a broadcast can change to the target state. A broadcast with a monitor stream must be
 * tested first.
 */
function sourcesOf(target: (typeof TARGETS)[number], { contentDetails }: Broadcast): readonly LifeCycle[] {
  const isTested = hasMonitor(contentDetails);
  if (target === 'testing') return isTested ? ['created', 'ready'] : [];
  if (target === 'live') return isTested ? ['testing'] : ['created', 'ready'];
  return ['live'];
}

function insertCuepoint(call: Call): Outcome {
  const { body } = call;
  if (ownBroadcast(call).lifeCycle !== 'live')
    throw refuse(403, 'liveBroadcastNotActive', 'Cuepoints are for broadcasts that are live.');
  if (textOf(body, 'cueType') === undefined)
    throw refuse(400, 'cueTypeRequired', 'The cuepoint must have a type.');
  if (body.insertionOffsetTimeMs != null && body.walltimeMs != null)
    throw refuse(400, 'conflictingTimeFields', 'A cuepoint has an offset or a time, not both.');
  const durationSecs = Number(body.durationSecs ?? 30);
  if (!Number.isInteger(durationSecs) || durationSecs < 1 || durationSecs > LONGEST_CUE)
    throw refuse(400, 'invalidDuration', 'The cuepoint is too short or too long.');
  return { body: withEtag({ ...body, durationSecs, id: newLiveId() }) };
}
