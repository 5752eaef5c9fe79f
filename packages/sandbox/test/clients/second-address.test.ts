import { calendar } from '@googleapis/calendar';
import { youtube } from '@googleapis/youtube';
import { youtubeAnalytics } from '@googleapis/youtubeanalytics';
import { calendars } from './google/calendars.js';
import { events } from './google/events.js';
import { type GoogleApi, tokenOf } from './google/operation.js';
import { SCOPE } from './google/scope.js';
import { analytics, videos } from './google/youtube.js';
import { runBattery } from './support/battery.js';
import { type Address, waysTo } from './support/ways.js';

/**
 * Google's clients drop the path of an address that they are made with: what they ask for begins at the root. So they work by
 * the second address, set once as people set it, and a token alone.
 */
const at: GoogleApi<unknown>['at'] = async (call) => (await call({} as { rootUrl: string })).data;
const made = (address: Address) => ({ auth: tokenOf(address), rootUrl: `${address.baseUrl}/` });

function waysOf<Client>(
  connector: string,
  create: (address: Address) => Client,
  options: Parameters<typeof waysTo>[2] = {},
) {
  const { direct, atSecondAddress } = waysTo(connector, create, options);
  return { direct, throughService: atSecondAddress };
}

runBattery("Google's calendar client, by its address alone,", {
  ...waysOf('calendar', (address) => ({ api: calendar({ version: 'v3', ...made(address) }), at })),
  operations: [...calendars, ...events],
});

runBattery("Google's video client, by its address alone,", {
  ...waysOf('video', (address) => ({ api: youtube({ version: 'v3', ...made(address) }), at }), {
    params: { scope: SCOPE, access_type: 'offline' },
  }),
  operations: videos,
});

runBattery("Google's analytics client, by its address alone,", {
  ...waysOf('video', (address) => ({ api: youtubeAnalytics({ version: 'v2', ...made(address) }), at }), {
    params: { scope: SCOPE, access_type: 'offline' },
    host: 'analytics',
  }),
  operations: analytics,
});
