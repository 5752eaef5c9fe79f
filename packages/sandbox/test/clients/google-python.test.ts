import type { calendar_v3 } from '@googleapis/calendar';
import type { youtube_v3 } from '@googleapis/youtube';
import type { youtubeAnalytics_v2 } from '@googleapis/youtubeanalytics';
import { afterAll, describe } from 'vitest';
import { isFull } from '../../../server/test/support/rounds.ts';
import { readDescription, WANTED } from '../descriptions/read-descriptions.js';
import { analytics } from './google/analytics.js';
import { calendars } from './google/calendars.js';
import { channel } from './google/channel.js';
import { comments } from './google/comments.js';
import { eventLists } from './google/event-lists.js';
import { events } from './google/events.js';
import { live } from './google/live.js';
import type { GoogleOperation } from './google/operation.js';
import { pieces } from './google/pieces.js';
import { isInstalled, startPythonClient } from './google/python/python-client.js';
import { SCOPE } from './google/scope.js';
import { videos } from './google/videos.js';
import { runBattery } from './support/battery.js';
import { waysTo } from './support/ways.js';

interface Spoken<Api> {
  readonly name: string;
  readonly version: string;
  readonly servicePath: string;
  readonly connector: string;
  readonly options?: Parameters<typeof waysTo>[2];
  readonly operations: readonly GoogleOperation<Api>[];
}

/** What the client refuses by itself: words that the description does not have. */
const REFUSED_EARLIER = [
  'events.insert, a word that is none',
  'events.list, a kind that is none',
  'videos.rate, a word that is none',
  'search.list, an event that is none',
];

function runPython<Api>({ name, version, servicePath, connector, options, operations }: Spoken<Api>): void {
  const methods = readDescription(name, version);
  if (methods === undefined || !isInstalled()) {
    process.stderr.write(
      `Google's Python client does not call ${name}: install python3-googleapi and ${WANTED}.\n`,
    );
    return;
  }
  const { create, stop } = startPythonClient<Api>({ name, version, servicePath, methods });
  afterAll(() => void stop());
  runBattery(`Google's Python client of ${name}`, {
    ...waysTo(connector, create, options),
    operations: operations.filter((one) => !REFUSED_EARLIER.includes(one.name)),
  });
}

const asked = { params: { scope: SCOPE, access_type: 'offline' } };

// A minute of its own, and the operations are those of the client for Node.
describe.runIf(isFull)("Google's Python client", () => {
  if (!isFull) return;
  runPython<calendar_v3.Calendar>({
    name: 'calendar',
    version: 'v3',
    servicePath: 'calendar/v3/',
    connector: 'calendar',
    operations: [...calendars, ...events, ...eventLists],
  });
  runPython<youtube_v3.Youtube>({
    name: 'youtube',
    version: 'v3',
    servicePath: '',
    connector: 'video',
    options: asked,
    operations: [...channel, ...live, ...videos, ...pieces, ...comments],
  });
  runPython<youtubeAnalytics_v2.Youtubeanalytics>({
    name: 'youtubeAnalytics',
    version: 'v2',
    servicePath: '',
    connector: 'video',
    options: { ...asked, host: 'analytics' },
    operations: analytics,
  });
});
