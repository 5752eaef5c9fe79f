import type { Outcome } from '../../../google/method.js';
import { type Check, record, text, textOf, word } from '../body.js';
import { newLiveId } from '../identifiers.js';
import type { Broadcast, LifeCycle } from '../live.js';
import { refuse } from '../refusals.js';
import { MANAGING, WRITING } from '../scopes.js';
import { withEtag } from '../with-etag.js';
import { BROADCAST_MAKERS, hasMonitor } from './broadcast-parts.js';
import { type Call, serviceMethods } from './call.js';
import { requiredText } from './filters.js';
import { ownItem } from './kept-item.js';
import { BROADCASTS } from './live-broadcasts.js';
import { isActive } from './live-streams.js';
import { OWNED_CHANNEL } from './owner-parameters.js';
import { partNames, presentResource } from './resource.js';

const TARGETS = ['testing', 'live', 'complete'] as const;
const LONGEST_CUE = 1800;

const ofWhole: Check = (value, path) => text(typeof value === 'number' ? String(value) : value, path);
const CUEPOINT_BODY = record({
  id: text,
  etag: text,
  cueType: word('cueTypeAd'),
  durationSecs: ofWhole,
  insertionOffsetTimeMs: ofWhole,
  walltimeMs: ofWhole,
});

/** What a broadcast goes through: bound to a stream, tested, live, over. */
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

function keep(call: Call, broadcast: Broadcast): Outcome {
  call.world.broadcasts.set(broadcast.id, broadcast);
  return { body: presentResource(broadcast, { kind: 'liveBroadcast', makers: BROADCAST_MAKERS, call }) };
}

// Without a stream it is the other way round: the broadcast is bound to none.
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
  if (streamId === '') return keep(call, { ...broadcast, lifeCycle: 'created' });
  const { id } = ownItem(call, streamId, {
    itemsOf: ({ streams }) => streams,
    missing: 'liveStreamNotFound',
  });
  return keep(call, { ...broadcast, streamId: id, boundAt: world.now(), lifeCycle: 'ready' });
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
      'The broadcast cannot go from its status to the one that is asked for.',
    );
  const { streamId } = broadcast;
  if (target !== 'complete' && (streamId === undefined || !isActive(world, streamId)))
    throw refuse(403, 'errorStreamInactive', 'The stream that the broadcast is bound to is inactive.');
  return keep(call, {
    ...broadcast,
    lifeCycle: target,
    ...(target === 'live' ? { startedAt: world.now() } : {}),
    ...(target === 'complete' ? { endedAt: world.now() } : {}),
  });
}

/** Where a broadcast may come from; one with a monitor stream is tested before it is live. */
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
