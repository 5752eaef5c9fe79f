import { describe, expect, test } from 'vitest';
import { ADA, data, grace, items, playlist, read, reason, useVideo } from './setup.js';

useVideo();

const START = '2030-01-01T10:00:00Z';
const CDN = { ingestionType: 'rtmp', resolution: '1080p', frameRate: '30fps' };
const STORE = { type: 'channelToStoreLink', channelToStoreLink: { storeUrl: 'https://shop.example' } };

interface Life {
  readonly resource: string;
  readonly part: string;
  /** Bodies of the creation (`first`) and of the update (`second`). */
  readonly first: object;
  readonly second: object;
  readonly list?: Record<string, string>;
  readonly missing: string;
}

const LIVES: readonly Life[] = [
  {
    resource: 'channelSections',
    part: 'snippet,contentDetails',
    first: {
      snippet: { type: 'singlePlaylist' },
      contentDetails: { playlists: [playlist('adaMathematics')] },
    },
    second: { snippet: { type: 'multipleChannels', title: 'Friends' }, contentDetails: { channels: [ADA] } },
    missing: 'channelSectionNotFound',
  },
  {
    resource: 'liveStreams',
    part: 'snippet,cdn',
    first: { snippet: { title: 'Camera', description: 'One' }, cdn: CDN },
    second: { snippet: { title: 'Two cameras', description: '' }, cdn: { ...CDN, frameRate: '60fps' } },
    missing: 'liveStreamNotFound',
  },
  {
    resource: 'liveBroadcasts',
    part: 'snippet,status',
    first: { snippet: { title: 'Debut', scheduledStartTime: START }, status: { privacyStatus: 'private' } },
    second: { snippet: { title: 'Encore', scheduledStartTime: START }, status: { privacyStatus: 'public' } },
    missing: 'liveBroadcastNotFound',
  },
];

describe('resources of a channel', () => {
  test.each(LIVES)('are created, listed, updated and deleted: $resource', async (life) => {
    const { resource, part, first, second, list = { mine: 'true' }, missing } = life;
    const made = await data('POST', resource, { part }, { body: first });
    expect([made.status, made.body]).toMatchObject([200, first]);
    const { id } = made.body;
    const listed = async (as?: typeof grace) =>
      items(await read(resource, { part, ...list }, as)).filter((one) => one.id === id);
    expect(await listed()).toEqual([made.body]);
    expect(await listed(grace)).toEqual([]);

    const changed = await data('PUT', resource, { part }, { body: { id, ...second } });
    expect([changed.status, changed.body]).toMatchObject([200, { id, ...second }]);
    expect(await listed()).toEqual([changed.body]);

    for (const sent of [
      data('PUT', resource, { part }, { body: { id, ...second }, as: grace }),
      data('DELETE', resource, { id }, { as: grace }),
    ])
      expect(reason(await sent)).toEqual([403, 'forbidden']);
    expect((await data('DELETE', resource, { id })).status).toBe(204);
    expect(await listed()).toEqual([]);
    expect(reason(await data('DELETE', resource, { id }))).toEqual([404, missing]);
    expect(reason(await data('PUT', resource, { part }, { body: { id, ...second } }))).toEqual([
      404,
      missing,
    ]);
  });

  test.each(LIVES)('are refused with invalid parameters: $resource', async ({ resource, part, first }) => {
    const [one = ''] = part.split(',');
    const post = (query: Record<string, string>, body: object) => data('POST', resource, query, { body });
    expect(reason(await post({}, first))).toEqual([400, 'missingRequiredParameter']);
    expect(reason(await post({ part: 'nothing' }, first))).toEqual([400, 'unknownPart']);
    expect(reason(await post({ part: one }, first))).toEqual([400, 'unexpectedPart']);
    expect(reason(await post({ part }, { ...first, nothing: 1 }))).toEqual([400, 'badRequest']);
    expect(reason(await data('PUT', resource, { part }, { body: first }))).toEqual([
      400,
      'missingRequiredParameter',
    ]);
    expect(reason(await data('DELETE', resource))).toEqual([400, 'missingRequiredParameter']);
    expect(reason(await read(resource, { part }))).toEqual([400, 'missingRequiredParameter']);
    const both = { part, mine: 'true', id: 'x' };
    expect(reason(await read(resource, both))).toEqual([400, 'incompatibleParameters']);
  });

  test.each([
    ['channelSections', { snippet: { title: 'x' } }, 'typeRequired'],
    ['channelSections', { snippet: { type: 'likes' } }, 'invalidType'],
    ['channelSections', { snippet: { type: 'multiplePlaylists' } }, 'titleRequired'],
    ['channelSections', { snippet: { type: 'singlePlaylist' } }, 'playlistsRequired'],
    ['channelSections', { snippet: { type: 'recentUploads', position: 7 } }, 'invalidPosition'],
    ['liveStreams', { snippet: { title: ' ' } }, 'titleRequired'],
    ['liveStreams', { snippet: { title: 'x'.repeat(129) } }, 'invalidTitle'],
    ['liveStreams', { snippet: { title: 'x' } }, 'ingestionTypeRequired'],
    ['liveBroadcasts', { snippet: {} }, 'titleRequired'],
    ['liveBroadcasts', { snippet: { title: 'x' } }, 'scheduledStartTimeRequired'],
    [
      'liveBroadcasts',
      { snippet: { title: 'x', scheduledStartTime: '2020-01-01T00:00:00Z' } },
      'invalidScheduledStartTime',
    ],
    [
      'liveBroadcasts',
      { snippet: { title: 'x', scheduledStartTime: START, scheduledEndTime: START } },
      'invalidScheduledEndTime',
    ],
    ['liveBroadcasts', { snippet: { title: 'x', scheduledStartTime: START } }, 'privacyStatusRequired'],
  ])('are refused: %s with %j', async (resource, body, expected) => {
    expect(reason(await data('POST', resource, { part: 'snippet' }, { body }))).toEqual([400, expected]);
  });

  test.each([
    [{ type: 'recentUploads' }, { playlists: [playlist('adaMathematics')] }, [400, 'playlistsNotExpected']],
    [{ type: 'multipleChannels', title: 'x' }, { channels: [ADA, ADA] }, [400, 'channelsDuplicated']],
    [{ type: 'singlePlaylist' }, { playlists: ['PLnothing'] }, [404, 'playlistNotFound']],
  ])('are refused: a section %j with %j', async (snippet, contentDetails, expected) => {
    const sent = { body: { snippet, contentDetails } };
    const response = await data('POST', 'channelSections', { part: 'snippet,contentDetails' }, sent);
    expect(reason(response)).toEqual(expected);
  });

  test('have an order and a limit of ten sections', async () => {
    const add = (position?: number) =>
      data(
        'POST',
        'channelSections',
        { part: 'snippet' },
        { body: { snippet: { type: 'recentUploads', ...(position === undefined ? {} : { position }) } } },
      );
    const made = [await add(), await add(), await add(0)].map(({ body }) => body.id);
    const inOrder = async () =>
      items(await read('channelSections', { part: 'snippet', channelId: ADA }, grace)).map(
        ({ id, snippet }) => [made.indexOf(id), snippet.position],
      );
    expect(await inOrder()).toEqual([
      [2, 0],
      [0, 1],
      [1, 2],
    ]);
    await data('DELETE', 'channelSections', { id: made[2] });
    expect(await inOrder()).toEqual([
      [0, 0],
      [1, 1],
    ]);
    for (let sections = 2; sections < 10; sections++) expect((await add()).status).toBe(200);
    expect(reason(await add())).toEqual([403, 'maxChannelSectionExceeded']);
  });
});

describe('a third-party link to a store', () => {
  const query = { part: 'snippet,status' };
  const body = { linkingToken: 'token1', snippet: STORE };
  const linkQuery = { linkingToken: 'token1', type: 'channelToStoreLink' };
  const list = async () => items(await read('thirdPartyLinks', query));

  test('is created, listed, updated and deleted by its token', async () => {
    const made = await data('POST', 'thirdPartyLinks', query, { body });
    expect(made.body).toMatchObject({ ...body, status: { linkStatus: 'linked' } });
    expect(await list()).toEqual([made.body]);
    expect(items(await read('thirdPartyLinks', query, grace))).toEqual([]);
    const snippet = { ...STORE, channelToStoreLink: { storeUrl: 'https://other.example' } };
    const changed = await data('PUT', 'thirdPartyLinks', query, { body: { ...body, snippet } });
    expect(changed.body.snippet).toEqual(snippet);
    expect(reason(await data('DELETE', 'thirdPartyLinks', linkQuery, { as: grace }))).toEqual([
      403,
      'forbidden',
    ]);
    expect((await data('DELETE', 'thirdPartyLinks', linkQuery)).status).toBe(204);
    expect(await list()).toEqual([]);
    expect(reason(await data('DELETE', 'thirdPartyLinks', linkQuery))).toEqual([
      404,
      'thirdPartyLinkNotFound',
    ]);
  });

  test.each([
    [{ snippet: STORE }, 'missingRequiredParameter'],
    [{ linkingToken: 'x', snippet: { type: 'channelToStoreLink' } }, 'invalidLinkDetails'],
    [{ linkingToken: 'x', snippet: {} }, 'invalidLinkDetails'],
  ])('is refused for %j', async (wrong, expected) => {
    const response = await data('POST', 'thirdPartyLinks', { part: 'snippet' }, { body: wrong });
    expect(reason(response)).toEqual([400, expected]);
  });

  test('is refused with a used token', async () => {
    await data('POST', 'thirdPartyLinks', query, { body });
    const again = await data('POST', 'thirdPartyLinks', query, { body, as: grace });
    expect(reason(again)).toEqual([400, 'invalidLinkingToken']);
  });
});
