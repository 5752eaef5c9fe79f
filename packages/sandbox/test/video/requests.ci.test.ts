import { describe, expect, test } from 'vitest';
import { type ApiResponse, callApi } from '../authorized.js';
import {
  ADA,
  ada,
  analytics,
  approved,
  data,
  grace,
  ids,
  read,
  reason,
  reporting,
  sandbox,
  useVideo,
} from './setup.js';

useVideo();

const WRITING = ['youtube', 'youtube.force-ssl', 'youtubepartner'];
const READING = [...WRITING, 'youtube.readonly'];
const MANAGING = ['youtube', 'youtube.force-ssl'];
const VIEWING = [...MANAGING, 'youtube.readonly'];
const UPLOADING = [...WRITING, 'youtube.upload'];
const CAPTIONS = ['youtube.force-ssl', 'youtubepartner'];
const MEMBERS = ['youtube.channel-memberships.creator'];
const COMMENTING = ['youtube.force-ssl'];
const ANALYTICS = [
  'youtube',
  'youtube.readonly',
  'youtubepartner',
  'yt-analytics.readonly',
  'yt-analytics-monetary.readonly',
];
const REPORTING = ['yt-analytics.readonly', 'yt-analytics-monetary.readonly'];

/** Every API method with the scopes that allow it. */
const METHODS: readonly (readonly [
  call: typeof data,
  method: string,
  resource: string,
  scopes: readonly string[],
])[] = [
  [data, 'GET', 'captions', CAPTIONS],
  [data, 'DELETE', 'captions', CAPTIONS],
  [data, 'GET', 'channels', [...READING, 'youtubepartner-channel-audit']],
  [data, 'POST', 'commentThreads', COMMENTING],
  [data, 'GET', 'commentThreads', COMMENTING],
  [data, 'GET', 'comments', COMMENTING],
  [data, 'GET', 'playlists', READING],
  [data, 'POST', 'playlists', WRITING],
  [data, 'PUT', 'playlists', WRITING],
  [data, 'DELETE', 'playlists', WRITING],
  [data, 'GET', 'playlistItems', READING],
  [data, 'POST', 'playlistItems', WRITING],
  [data, 'DELETE', 'playlistItems', WRITING],
  [data, 'GET', 'search', READING],
  [data, 'GET', 'subscriptions', READING],
  [data, 'POST', 'subscriptions', WRITING],
  [data, 'DELETE', 'subscriptions', WRITING],
  [data, 'GET', 'videoCategories', READING],
  [data, 'GET', 'videos', READING],
  [data, 'PUT', 'videos', WRITING],
  [data, 'DELETE', 'videos', WRITING],
  [data, 'GET', 'videos/getRating', READING],
  [data, 'POST', 'videos/rate', WRITING],
  [data, 'POST', 'abuseReports', MANAGING],
  [data, 'GET', 'activities', VIEWING],
  [data, 'GET', 'captions/nothing', CAPTIONS],
  [data, 'POST', 'captions', CAPTIONS],
  [data, 'PUT', 'captions', CAPTIONS],
  [data, 'POST', 'channelBanners/insert', [...MANAGING, 'youtube.upload']],
  [data, 'PUT', 'channels', WRITING],
  [data, 'GET', 'channelSections', READING],
  [data, 'GET', 'playlistImages', READING],
  [data, 'POST', 'channelSections', WRITING],
  [data, 'POST', 'playlistImages', WRITING],
  [data, 'PUT', 'channelSections', WRITING],
  [data, 'PUT', 'playlistImages', WRITING],
  [data, 'DELETE', 'channelSections', WRITING],
  [data, 'DELETE', 'playlistImages', WRITING],
  [data, 'POST', 'comments/markAsSpam', COMMENTING],
  [data, 'POST', 'comments/setModerationStatus', COMMENTING],
  [data, 'GET', 'liveBroadcasts', VIEWING],
  [data, 'GET', 'liveStreams', VIEWING],
  [data, 'POST', 'liveBroadcasts', MANAGING],
  [data, 'POST', 'liveStreams', MANAGING],
  [data, 'PUT', 'liveBroadcasts', MANAGING],
  [data, 'PUT', 'liveStreams', MANAGING],
  [data, 'DELETE', 'liveBroadcasts', MANAGING],
  [data, 'DELETE', 'liveStreams', MANAGING],
  [data, 'POST', 'liveBroadcasts/bind', MANAGING],
  [data, 'POST', 'liveBroadcasts/transition', MANAGING],
  [data, 'POST', 'liveBroadcasts/cuepoint', WRITING],
  [data, 'POST', 'liveChat/bans', MANAGING],
  [data, 'DELETE', 'liveChat/bans', MANAGING],
  [data, 'GET', 'liveChat/messages', VIEWING],
  [data, 'POST', 'liveChat/messages', MANAGING],
  [data, 'DELETE', 'liveChat/messages', MANAGING],
  [data, 'GET', 'liveChat/moderators', VIEWING],
  [data, 'POST', 'liveChat/moderators', MANAGING],
  [data, 'DELETE', 'liveChat/moderators', MANAGING],
  [data, 'POST', 'liveChat/messages/transition', MANAGING],
  [data, 'GET', 'members', MEMBERS],
  [data, 'GET', 'membershipsLevels', MEMBERS],
  [data, 'GET', 'superChatEvents', VIEWING],
  [data, 'GET', 'thirdPartyLinks', VIEWING],
  [data, 'POST', 'thirdPartyLinks', MANAGING],
  [data, 'PUT', 'thirdPartyLinks', MANAGING],
  [data, 'DELETE', 'thirdPartyLinks', MANAGING],
  [data, 'POST', 'thumbnails/set', UPLOADING],
  [data, 'POST', 'videos', UPLOADING],
  [data, 'GET', 'videos:batchGetStats', READING],
  [data, 'POST', 'videos/reportAbuse', WRITING],
  [data, 'GET', 'videoTrainability', READING],
  [data, 'POST', 'watermarks/set', UPLOADING],
  [data, 'POST', 'watermarks/unset', WRITING],
  [analytics, 'GET', 'groups', ANALYTICS],
  [analytics, 'POST', 'groups', ANALYTICS],
  [analytics, 'PUT', 'groups', ANALYTICS],
  [analytics, 'DELETE', 'groups', ANALYTICS],
  [analytics, 'GET', 'groupItems', ANALYTICS],
  [analytics, 'POST', 'groupItems', ANALYTICS],
  [analytics, 'DELETE', 'groupItems', ANALYTICS],
  [analytics, 'GET', 'reports', ANALYTICS],
  [reporting, 'GET', 'reportTypes', REPORTING],
  [reporting, 'GET', 'jobs', REPORTING],
  [reporting, 'POST', 'jobs', REPORTING],
  [reporting, 'DELETE', 'jobs/nothing', REPORTING],
  [reporting, 'GET', 'jobs/nothing/reports', REPORTING],
];

const isClosed = ({ status, body }: ApiResponse): boolean =>
  status === 403 && body.error.details?.[0]?.reason === 'ACCESS_TOKEN_SCOPE_INSUFFICIENT';

describe('a request to the video API', () => {
  test.each([...new Set(METHODS.flatMap(([, , , scopes]) => scopes))])(
    'is allowed by the scope %s only for the methods of that scope',
    async (scope) => {
      const narrow = await approved('ada', [scope]);
      const opened: string[] = [];
      for (const [call, method, resource] of METHODS) {
        const response = await call(method, resource, {}, { as: narrow });
        if (!isClosed(response)) opened.push(`${method} ${resource}`);
      }
      const expected = METHODS.filter(([, , , scopes]) => scopes.includes(scope));
      expect(opened).toEqual(expected.map(([, method, resource]) => `${method} ${resource}`));
    },
  );

  test('reports a missing scope in the error format of each API', async () => {
    const narrow = await approved('ada', ['youtube.readonly']);
    const response = await data('POST', 'playlists', {}, { as: narrow });
    expect(response.body.error).toMatchObject({
      code: 403,
      status: 'PERMISSION_DENIED',
      errors: [{ domain: 'global', reason: 'insufficientPermissions' }],
      details: [{ metadata: { service: 'youtube.googleapis.com' } }],
    });
    expect(response.headers.get('www-authenticate')).toContain('insufficient_scope');
    const { error } = (await reporting('GET', 'jobs', {}, { as: narrow })).body;
    expect([error.status, error.errors]).toEqual(['PERMISSION_DENIED', undefined]);
  });

  test.each([
    { path: '/youtube/v3/channels', hasList: true },
    { path: '/analytics/v2/groups', hasList: true },
    { path: '/reporting/v1/jobs', hasList: false },
  ])('is refused with an invalid token: $path', async ({ path, hasList }) => {
    const url = `${sandbox.upstream('video').baseUrl}${path}`;
    const { status, body } = await callApi(url, 'GET', { token: 'ya29.wrong', headers: {} });
    expect([status, body.error.status, 'errors' in body.error]).toEqual([401, 'UNAUTHENTICATED', hasList]);
  });

  test('is recorded with the name of its host', async () => {
    const { baseUrl, hosts } = sandbox.upstream('video');
    expect(hosts).toEqual({ analytics: `${baseUrl}/analytics`, reporting: `${baseUrl}/reporting` });
    await analytics('GET', 'groups', { mine: 'true' });
    expect((await sandbox.requests('video')).at(-1)).toMatchObject({
      host: 'analytics',
      path: '/v2/groups',
      query: { mine: 'true' },
      status: 200,
    });
  });

  test.each([
    {
      path: '/youtube/v3/channels',
      expected: { errors: [{ domain: 'usageLimits', reason: 'rateLimitExceeded' }] },
    },
    { path: '/analytics/v2/groups', expected: { errors: [{ reason: 'rateLimitExceeded' }] } },
    { path: '/reporting/v1/jobs', expected: { status: 'RESOURCE_EXHAUSTED' } },
  ])('fails by a dial with the error format of its API: $path', async ({ path, expected }) => {
    await sandbox.dials('video', { rateLimit: { requests: 0, perSeconds: 9 } });
    expect((await ada.call('GET', path)).body.error).toMatchObject({ code: 429, ...expected });
  });

  test('returns only the requested fields', async () => {
    const { body } = await read('channels', {
      part: 'snippet',
      mine: 'true',
      fields: 'items(id,snippet/title)',
    });
    expect(body).toEqual({ items: [{ id: ADA, snippet: { title: 'Ada Lovelace' } }] });
  });

  test.each([
    { title: 'not an object', body: '[]' },
    { title: 'not JSON', body: '{' },
  ])('is refused if its body is $title', async ({ body }) => {
    expect(reason(await data('POST', 'playlists', { part: 'snippet' }, { body }))).toEqual([
      400,
      'parseError',
    ]);
  });
});

test('finds a playlist that another user created', async () => {
  const { body } = await data(
    'POST',
    'playlists',
    { part: 'snippet' },
    { body: { snippet: { title: 'Shared' } } },
  );
  expect(ids(await read('playlists', { part: 'id', channelId: ADA }, grace))).toContain(body.id);
});
