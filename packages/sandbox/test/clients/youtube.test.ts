import { youtube } from '@googleapis/youtube';
import { youtubeAnalytics } from '@googleapis/youtubeanalytics';
import { atAddress, tokenOf } from './google/operation.js';
import { SCOPE } from './google/scope.js';
import { analytics, videos } from './google/youtube.js';
import { runBattery } from './support/battery.js';
import { waysTo } from './support/ways.js';

runBattery("Google's video client", {
  ...waysTo(
    'video',
    (address) => ({
      api: youtube({ version: 'v3', auth: tokenOf(address) }),
      at: atAddress(address),
    }),
    { params: { scope: SCOPE, access_type: 'offline' } },
  ),
  operations: videos,
});

runBattery("Google's analytics client", {
  ...waysTo(
    'video',
    (address) => ({
      api: youtubeAnalytics({ version: 'v2', auth: tokenOf(address) }),
      at: atAddress(address),
    }),
    { params: { scope: SCOPE, access_type: 'offline' }, host: 'analytics' },
  ),
  operations: analytics,
});
