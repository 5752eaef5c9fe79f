import { calendar } from '@googleapis/calendar';
import { youtube } from '@googleapis/youtube';
import { youtubeAnalytics } from '@googleapis/youtubeanalytics';
import { afterAll, beforeAll } from 'vitest';
import { analytics } from './google/analytics.js';
import { calendars } from './google/calendars.js';
import { channel } from './google/channel.js';
import { comments } from './google/comments.js';
import { eventLists } from './google/event-lists.js';
import { events } from './google/events.js';
import { live } from './google/live.js';
import { atAddress, type CallOptions, type GoogleApi, tokenOf } from './google/operation.js';
import { SCOPE } from './google/scope.js';
import { uploads } from './google/uploads.js';
import { videos } from './google/videos.js';
import { accountToken } from './support/account-token.js';
import { runBattery, type Way } from './support/battery.js';
import { openStage } from './support/stage.js';
import { waysTo, wayThrough } from './support/ways.js';

interface Made {
  readonly auth: ReturnType<typeof tokenOf>;
  readonly rootUrl?: string;
}

/** Returns both ways, direct and through the service, for a client that is configured once for all calls. */
function waysOf<Api>(
  connector: string,
  make: (options: Made) => Api,
  options: Parameters<typeof waysTo>[2] = {},
  setsUrlPerCall = false,
) {
  // Google's clients drop the path of a configured root URL, so calls to the sandbox pass the root URL each time.
  const { direct } = waysTo(
    connector,
    (address) => ({ api: make({ auth: tokenOf(address) }), at: atAddress(address) }),
    options,
  );
  const at: GoogleApi<Api>['at'] = async (call) =>
    (await call((setsUrlPerCall ? { rootUrl: stage.proxyUrl } : {}) as CallOptions)).data;
  const throughService = async (): Promise<Way<GoogleApi<Api>>> => {
    const token = await accountToken(stage, connector);
    const api = make({ auth: tokenOf({ baseUrl: stage.proxyUrl, token }), rootUrl: `${stage.proxyUrl}/` });
    return wayThrough(stage, connector, { client: { api, at }, token });
  };
  return { direct, throughService };
}

// Separate service and sandbox, because batteries on the shared stage would find the objects that this file creates.
let stage: Awaited<ReturnType<typeof openStage>>;
beforeAll(async () => {
  stage = await openStage();
}, 60_000);
afterAll(() => stage.stop());

const requested = { params: { scope: SCOPE, access_type: 'offline' } };

runBattery("Google's calendar client, with only its root URL set,", {
  ...waysOf('calendar', (options) => calendar({ version: 'v3', ...options })),
  operations: [...calendars, ...events, ...eventLists],
});

runBattery("Google's video client, with only its root URL set,", {
  ...waysOf('video', (options) => youtube({ version: 'v3', ...options }), requested),
  operations: [...channel, ...live, ...videos, ...comments],
});

// Uploads pass the root URL with each call, because the client ignores the configured root URL for uploads.
runBattery("Google's video client, uploading files with the root URL in each call,", {
  ...waysOf('video', (options) => youtube({ version: 'v3', ...options }), requested, true),
  operations: uploads,
});

runBattery("Google's analytics client, with only its root URL set,", {
  ...waysOf('video', (options) => youtubeAnalytics({ version: 'v2', ...options }), {
    ...requested,
    host: 'analytics',
  }),
  operations: analytics,
});
