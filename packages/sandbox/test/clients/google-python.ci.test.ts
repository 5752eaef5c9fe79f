import type { calendar_v3 } from '@googleapis/calendar';
import type { youtube_v3 } from '@googleapis/youtube';
import type { youtubeAnalytics_v2 } from '@googleapis/youtubeanalytics';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { isFull } from '../../../server/test/support/runner/rounds.ts';
import { readDescription, WANTED } from '../descriptions/read-descriptions.js';
import { analytics } from './google/analytics.js';
import { analyticsBatches, calendarBatches, videoBatches } from './google/batches.js';
import { calendars } from './google/calendars.js';
import { channel } from './google/channel.js';
import { comments } from './google/comments.js';
import { eventLists } from './google/event-lists.js';
import { events } from './google/events.js';
import { live } from './google/live.js';
import type { GoogleOperation } from './google/operation.js';
import { pieces } from './google/pieces.js';
import { type Batching, isInstalled, startPythonClient } from './google/python/python-client.js';
import { SCOPE } from './google/scope.js';
import { videos } from './google/videos.js';
import { accountToken } from './support/account-token.js';
import { type Operation, runBattery } from './support/battery.js';
import { openStage } from './support/stage.js';
import { waysTo, wayThrough } from './support/ways.js';

interface Spoken<Api> {
  readonly name: string;
  readonly version: string;
  readonly servicePath: string;
  readonly batchPath: string;
  readonly connector: string;
  readonly options?: Parameters<typeof waysTo>[2];
  readonly operations: readonly GoogleOperation<Api>[];
  readonly batches: readonly Operation<Batching>[];
}

/**
 * Operations with invalid enum values. The Python client rejects them itself, because its API description lists the
 * allowed values.
 */
const REFUSED_EARLIER = [
  'events.insert, a word that is none',
  'events.list, a kind that is none',
  'videos.rate, a word that is none',
  'search.list, an event that is none',
];

// Separate service and sandbox, because the Node.js client changes the calendars and videos of the shared stage.
let stage: Awaited<ReturnType<typeof openStage>>;

function runPython<Api>({ connector, options, operations, batches, ...spoken }: Spoken<Api>): void {
  const { name, version } = spoken;
  const methods = readDescription(name, version);
  if (methods === undefined || !isInstalled()) {
    test.skip(`the Python client of ${name} needs python3-googleapi and ${WANTED}`, () => {});
    return;
  }
  const { create, stop } = startPythonClient<Api>({ ...spoken, methods });
  afterAll(() => void stop());
  runBattery(`Google's Python client of ${name}`, {
    ...waysTo(connector, create, { ...options, stage: () => stage }),
    operations: operations.filter((one) => !REFUSED_EARLIER.includes(one.name)),
  });
  // Batch parts use the upstream's own paths, so they need the proxy port, whose URL has no path prefix.
  const throughService = async () => {
    const token = await accountToken(stage, connector);
    return wayThrough(stage, connector, { client: create({ baseUrl: stage.proxyUrl, token }), token });
  };
  runBattery(`Google's Python client of ${name}, batches`, {
    direct: waysTo(connector, create, options).direct,
    throughService,
    operations: batches,
  });
}

const requested = { params: { scope: SCOPE, access_type: 'offline' } };

// Runs only in full test runs, because it takes a minute and repeats the operations of the Node.js client.
describe.runIf(isFull)("Google's Python client", () => {
  if (!isFull) return;
  beforeAll(async () => {
    stage = await openStage();
  }, 60_000);
  afterAll(() => stage?.stop());
  runPython<calendar_v3.Calendar>({
    name: 'calendar',
    version: 'v3',
    servicePath: 'calendar/v3/',
    batchPath: 'batch/calendar/v3',
    connector: 'calendar',
    operations: [...calendars, ...events, ...eventLists],
    batches: calendarBatches,
  });
  runPython<youtube_v3.Youtube>({
    name: 'youtube',
    version: 'v3',
    servicePath: '',
    batchPath: 'batch/youtube/v3',
    connector: 'video',
    options: requested,
    operations: [...channel, ...live, ...videos, ...pieces, ...comments],
    batches: videoBatches,
  });
  runPython<youtubeAnalytics_v2.Youtubeanalytics>({
    name: 'youtubeAnalytics',
    version: 'v2',
    servicePath: '',
    batchPath: 'batch',
    connector: 'video',
    options: { ...requested, host: 'analytics' },
    operations: analytics,
    batches: analyticsBatches,
  });
});
