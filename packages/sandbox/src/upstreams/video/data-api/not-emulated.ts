const FILES = [
  'POST|PUT /playlistImages',
  'POST /thumbnails/set',
  'POST /channelBanners/insert',
  'POST /watermarks/set',
];

/** What the real service has and this one does not: verbs, and the path of each. */
export const NOT_EMULATED = [
  ...FILES,
  'POST /abuseReports',
  'GET /activities',
  'GET /captions/:id',
  'PUT /captions',
  'GET|POST|PUT|DELETE /channelSections',
  'PUT /channels',
  'PUT /commentThreads',
  'POST /comments/markAsSpam',
  'POST /comments/setModerationStatus',
  'GET|POST|PUT|DELETE /liveBroadcasts',
  'POST /liveBroadcasts/bind',
  'POST /liveBroadcasts/cuepoint',
  'POST /liveBroadcasts/transition',
  'POST|DELETE /liveChat/bans',
  'GET|POST|DELETE /liveChat/messages',
  'GET /liveChat/messages/stream',
  'POST /liveChat/messages/transition',
  'GET|POST|DELETE /liveChat/moderators',
  'GET|POST|PUT|DELETE /liveStreams',
  'GET /members',
  'GET /membershipsLevels',
  'GET|DELETE /playlistImages',
  'GET /superChatEvents',
  'POST /tests',
  'GET|POST|PUT|DELETE /thirdPartyLinks',
  'GET /videoTrainability',
  'GET /videos::batchGetStats',
  'POST /videos/reportAbuse',
  'POST /watermarks/unset',
];

/** What takes a file, at the addresses for files. */
export const NOT_UPLOADED = ['POST /videos', 'POST|PUT /captions', ...FILES];
