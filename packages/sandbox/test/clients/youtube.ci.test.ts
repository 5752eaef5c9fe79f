import { youtube } from '@googleapis/youtube';
import { youtubeAnalytics } from '@googleapis/youtubeanalytics';
import { analytics } from './google/analytics.js';
import { channel } from './google/channel.js';
import { comments } from './google/comments.js';
import { live } from './google/live.js';
import { atAddress, tokenOf } from './google/operation.js';
import { SCOPE } from './google/scope.js';
import { uploads } from './google/uploads.js';
import { videos } from './google/videos.js';
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
  operations: [...channel, ...live, ...uploads, ...videos, ...comments],
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
