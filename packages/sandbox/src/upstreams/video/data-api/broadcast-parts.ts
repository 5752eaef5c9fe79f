import { parseDateTime } from '../../../zoned-time.js';
import { each, flag, ignored, list, NAMING, pick, record, text, textOf, within, word } from '../body.js';
import { refuse } from '../refusals.js';
import { type Broadcast, chatIdOf, type Fields, timeOf } from '../world.js';
import { PRIVACY } from './playlist-parts.js';
import { type PartMakers, thumbnails } from './resource.js';

/** Default settings of a broadcast. */
const DETAILS: Fields = {
  enableEmbed: true,
  enableDvr: true,
  recordFromStart: true,
  enableContentEncryption: false,
  enableAutoStart: false,
  enableAutoStop: false,
  closedCaptionsType: 'closedCaptionsDisabled',
  projection: 'rectangular',
  latencyPreference: 'normal',
};
const FLAGS = Object.keys(DETAILS).filter((name) => typeof DETAILS[name] === 'boolean');
const FORMER = 'enableClosedCaptions enableLowLatency startWithSlate stereoLayout mesh';
const OF_SERVICE = 'boundStreamId boundStreamLastUpdateTimeMs availabilityConfig';

export const BROADCAST_BODY = record({
  ...NAMING,
  snippet: record(
    each(text, 'title description scheduledStartTime scheduledEndTime categoryId'),
    'actualStartTime actualEndTime channelId isDefaultBroadcast liveChatId publishedAt thumbnails',
  ),
  status: record(
    { privacyStatus: word(...PRIVACY), selfDeclaredMadeForKids: flag },
    'lifeCycleStatus liveBroadcastPriority madeForKids recordingStatus',
  ),
  contentDetails: record({
    ...each(flag, FLAGS.join(' ')),
    closedCaptionsType: word('closedCaptionsDisabled', 'closedCaptionsHttpPost', 'closedCaptionsEmbedded'),
    projection: word('rectangular', '360', 'mesh'),
    latencyPreference: word('normal', 'low', 'ultraLow'),
    monitorStream: record({ enableMonitorStream: flag }, 'broadcastStreamDelayMs embedHtml'),
    ...each(ignored, `${FORMER} ${OF_SERVICE}`),
  }),
  monetizationDetails: record(
    {
      cuepointSchedule: record({
        enabled: flag,
        pauseAdsUntil: text,
        repeatIntervalSecs: ignored,
        scheduleStrategy: word('scheduleStrategyUnspecified', 'concurrent', 'nonConcurrent'),
      }),
      unusedParts: list(ignored),
    },
    'adsMonetizationStatus eligibleForAdsMonetization',
  ),
  statistics: ignored,
});

export const BROADCAST_MAKERS: PartMakers<Broadcast> = {
  snippet: ({ id, channelId, publishedAt, snippet, startedAt, endedAt }) => ({
    publishedAt: timeOf(publishedAt),
    channelId,
    ...snippet,
    thumbnails: thumbnails(`vi/${id}`),
    ...(startedAt === undefined ? {} : { actualStartTime: timeOf(startedAt) }),
    ...(endedAt === undefined ? {} : { actualEndTime: timeOf(endedAt) }),
    isDefaultBroadcast: false,
    liveChatId: chatIdOf(id),
  }),
  status: ({ status, lifeCycle }) => ({
    lifeCycleStatus: lifeCycle,
    ...status,
    recordingStatus: { live: 'recording', complete: 'recorded' }[String(lifeCycle)] ?? 'notRecording',
    madeForKids: status.selfDeclaredMadeForKids === true,
  }),
  contentDetails: ({ id, contentDetails, streamId, boundAt = 0 }) => ({
    ...(streamId === undefined
      ? {}
      : { boundStreamId: streamId, boundStreamLastUpdateTimeMs: timeOf(boundAt) }),
    ...contentDetails,
    monitorStream: {
      broadcastStreamDelayMs: 0,
      ...(hasMonitor(contentDetails)
        ? {
            embedHtml: `<iframe width="425" height="344" src="https://www.youtube.com/embed/${id}"></iframe>`,
          }
        : {}),
      ...within(contentDetails, 'monitorStream'),
    },
  }),
  monetizationDetails: ({ monetizationDetails }) => monetizationDetails,
  statistics: ({ lifeCycle }) => (lifeCycle === 'live' ? { concurrentViewers: '0' } : undefined),
};

export const hasMonitor = (details: Fields): boolean =>
  within(details, 'monitorStream').enableMonitorStream === true;

export function writtenDetails(body: Fields): Fields {
  const details = within(body, 'contentDetails');
  const monitor = pick(within(details, 'monitorStream'), ['enableMonitorStream', 'broadcastStreamDelayMs']);
  return {
    ...DETAILS,
    ...pick(details, Object.keys(DETAILS)),
    monitorStream: { enableMonitorStream: true, ...monitor },
  };
}

const LONGEST_TITLE = 100;
const LONGEST_DESCRIPTION = 5000;

export function writtenSnippet(body: Fields, now: number): Fields {
  const snippet = within(body, 'snippet');
  const title = textOf(snippet, 'title') ?? '';
  const description = textOf(snippet, 'description') ?? '';
  if (title.trim() === '') throw refuse(400, 'titleRequired', 'The broadcast must have a title.');
  if (title.length > LONGEST_TITLE) throw refuse(400, 'invalidTitle', 'The title is too long.');
  if (Buffer.byteLength(description) > LONGEST_DESCRIPTION)
    throw refuse(400, 'invalidDescription', 'The description is too long.');
  return { title, description, ...writtenTimes(snippet, now) };
}

function writtenTimes(snippet: Fields, now: number): Fields {
  const [from, to] = [textOf(snippet, 'scheduledStartTime'), textOf(snippet, 'scheduledEndTime')];
  if (from === undefined)
    throw refuse(400, 'scheduledStartTimeRequired', 'The broadcast must say when it begins.');
  const start = parseDateTime(from)?.instant;
  // Accepts start times up to 5 minutes in the past, because client clocks may be slow.
  if (start === undefined || start < now - 5 * 60_000)
    throw refuse(400, 'invalidScheduledStartTime', 'The scheduled start is no time, or long past.');
  if (to === undefined) return { scheduledStartTime: timeOf(start) };
  const end = parseDateTime(to)?.instant;
  if (end === undefined || end <= start)
    throw refuse(400, 'invalidScheduledEndTime', 'The scheduled end does not follow the start.');
  return { scheduledStartTime: timeOf(start), scheduledEndTime: timeOf(end) };
}

export function writtenStatus(body: Fields): Broadcast['status'] {
  const status = within(body, 'status');
  const privacyStatus = PRIVACY.find((one) => one === status.privacyStatus);
  if (privacyStatus === undefined)
    throw refuse(400, 'privacyStatusRequired', 'The broadcast must have a privacy status.');
  return { ...pick(status, ['selfDeclaredMadeForKids']), privacyStatus };
}
