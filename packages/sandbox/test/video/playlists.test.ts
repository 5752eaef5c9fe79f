import { describe, expect, test } from 'vitest';
import { ADA, data, GRACE, grace, ids, items, playlist, read, reason, useVideo } from './setup.js';

useVideo();

const MATHEMATICS = playlist('adaMathematics');
const TO_WATCH = playlist('adaWatchLater');

const show = async (id: string) =>
  items(await read('playlists', { part: 'snippet,status,contentDetails', id }))[0];
const write = (method: 'POST' | 'PUT', part: string, body: object) =>
  data(method, 'playlists', { part }, { body });

describe('playlists', () => {
  test('are listed of oneself, of another, and by id, as far as they are to be seen', async () => {
    expect(ids(await read('playlists', { part: 'id', mine: 'true' }))).toHaveLength(3);
    expect(ids(await read('playlists', { part: 'id', channelId: ADA }, grace))).toEqual([MATHEMATICS]);
    expect(ids(await read('playlists', { part: 'id', channelId: GRACE }))).toEqual([
      playlist('graceCompilers'),
    ]);
    const named = [playlist('adaLectures'), TO_WATCH, 'PLnothing'].join(',');
    expect(ids(await read('playlists', { part: 'id', id: named }, grace))).toEqual([playlist('adaLectures')]);
  });

  test('come in pages, whose tokens belong to their question', async () => {
    const query = { part: 'id', mine: 'true', maxResults: '2' };
    const first = await read('playlists', query);
    expect(first.body).toMatchObject({
      kind: 'youtube#playlistListResponse',
      pageInfo: { totalResults: 3, resultsPerPage: 2 },
    });
    const pageToken = first.body.nextPageToken;
    const second = await read('playlists', { ...query, pageToken });
    expect(new Set([...ids(first), ...ids(second)]).size).toBe(3);
    expect(second.body.nextPageToken).toBeUndefined();
    expect(ids(await read('playlists', { ...query, pageToken: second.body.prevPageToken }))).toEqual(
      ids(first),
    );
    expect(reason(await read('playlists', { part: 'id', channelId: ADA, pageToken }))).toEqual([
      400,
      'invalidPageToken',
    ]);
  });

  test('are made, public unless said otherwise, and then found', async () => {
    const made = await write('POST', 'snippet,status', {
      snippet: { title: 'New', description: 'Fresh', defaultLanguage: 'en', tags: ['a'] },
      status: { privacyStatus: 'unlisted' },
    });
    expect(made).toMatchObject({
      status: 200,
      body: { kind: 'youtube#playlist', status: { privacyStatus: 'unlisted' } },
    });
    expect(await show(made.body.id)).toMatchObject({
      snippet: { title: 'New', description: 'Fresh', defaultLanguage: 'en', tags: ['a'], channelId: ADA },
      contentDetails: { itemCount: 0 },
    });
    const plain = await write('POST', 'snippet', { snippet: { title: 'Plain' } });
    expect(plain.body.status).toBeUndefined();
    expect((await show(plain.body.id)).status).toEqual({ privacyStatus: 'public' });
  });

  test.each([
    {
      title: 'the snippet loses what is not said again',
      part: 'snippet',
      body: { snippet: { title: 'Only a title' } },
      expected: {
        snippet: { title: 'Only a title', description: '' },
        privacy: 'private',
        podcast: 'disabled',
      },
    },
    {
      title: 'the status falls back to public',
      part: 'snippet,status',
      body: { snippet: { title: 'T', description: 'D' }, status: { podcastStatus: 'enabled' } },
      expected: { snippet: { title: 'T', description: 'D' }, privacy: 'public', podcast: 'enabled' },
    },
    {
      title: 'a part that is named but absent is not touched',
      part: 'snippet,status',
      body: { snippet: { title: 'T' } },
      expected: { snippet: { title: 'T', description: '' }, privacy: 'private', podcast: 'disabled' },
    },
  ])('are replaced by parts: $title', async ({ part, body, expected }) => {
    expect((await write('PUT', part, { id: TO_WATCH, ...body })).status).toBe(200);
    const { snippet, status } = await show(TO_WATCH);
    expect(snippet).toMatchObject(expected.snippet);
    expect(status).toEqual({ privacyStatus: expected.privacy, podcastStatus: expected.podcast });
  });

  test('lose tags and language by an update without them', async () => {
    await write('PUT', 'snippet', { id: MATHEMATICS, snippet: { title: 'Mathematics' } });
    const { snippet } = await show(MATHEMATICS);
    expect([snippet.tags, snippet.defaultLanguage, snippet.description]).toEqual([undefined, undefined, '']);
  });

  test('take back what was read, read-only fields included', async () => {
    const before = await show(MATHEMATICS);
    const { contentDetails, ...sent } = before;
    expect(contentDetails).toEqual({ itemCount: 3 });
    const { status, body } = await write('PUT', 'snippet,status', sent);
    expect([status, body.snippet, body.status]).toEqual([200, before.snippet, before.status]);
  });

  test.each([
    {
      title: 'without a title',
      part: 'status',
      body: { id: MATHEMATICS, status: { privacyStatus: 'private' } },
      error: [400, 'playlistTitleRequired'],
    },
    {
      title: 'without an id',
      part: 'snippet',
      body: { snippet: { title: 'T' } },
      error: [400, 'missingRequiredParameter'],
    },
    {
      title: 'with a part that is not named',
      part: 'snippet',
      body: { id: MATHEMATICS, snippet: { title: 'T' }, status: {} },
      error: [400, 'unexpectedPart'],
    },
    {
      title: 'with an unknown field',
      part: 'snippet',
      body: { id: MATHEMATICS, snippet: { name: 'T' } },
      error: [400, 'badRequest'],
    },
    {
      title: 'with an unknown privacy',
      part: 'snippet,status',
      body: { id: MATHEMATICS, snippet: { title: 'T' }, status: { privacyStatus: 'secret' } },
      error: [400, 'badRequest'],
    },
    {
      title: 'that nobody knows',
      part: 'snippet',
      body: { id: 'PLnothing', snippet: { title: 'T' } },
      error: [404, 'playlistNotFound'],
    },
    {
      title: 'of another',
      part: 'snippet',
      body: { id: playlist('graceCompilers'), snippet: { title: 'T' } },
      error: [403, 'forbidden'],
    },
    {
      title: 'of another, in private',
      part: 'snippet',
      body: { id: playlist('graceSecrets'), snippet: { title: 'T' } },
      error: [404, 'playlistNotFound'],
    },
    {
      title: 'of uploads',
      part: 'snippet',
      body: { id: `UU${ADA.slice(2)}`, snippet: { title: 'T' } },
      error: [400, 'playlistOperationUnsupported'],
    },
  ])('refuse an update $title', async ({ part, body, error }) => {
    expect(reason(await write('PUT', part, body))).toEqual(error);
  });

  test('are gone when they are deleted', async () => {
    const remove = (id: string) => data('DELETE', 'playlists', { id });
    expect(await remove(MATHEMATICS)).toMatchObject({ status: 204, body: undefined });
    expect(reason(await remove(MATHEMATICS))).toEqual([404, 'playlistNotFound']);
    expect(reason(await remove(playlist('graceCompilers')))).toEqual([403, 'forbidden']);
    expect(reason(await data('DELETE', 'playlists'))).toEqual([400, 'missingRequiredParameter']);
  });
});

describe('playlist items', () => {
  const list = (query: Record<string, string>) =>
    read('playlistItems', { part: 'snippet,contentDetails,status', ...query });
  const videosOf = async (playlistId: string) =>
    items(await list({ playlistId })).map(({ contentDetails }) => contentDetails.videoId);
  const insert = (snippet: object, more: { contentDetails?: object; part?: string } = {}) =>
    data(
      'POST',
      'playlistItems',
      { part: more.part ?? 'snippet' },
      {
        body: {
          snippet,
          ...(more.contentDetails === undefined ? {} : { contentDetails: more.contentDetails }),
        },
      },
    );
  const video = (videoId: string) => ({ kind: 'youtube#video', videoId });

  test('are listed in their order, with what they stand for', async () => {
    const found = items(await list({ playlistId: MATHEMATICS }));
    expect(found.map(({ snippet }) => [snippet.position, snippet.resourceId.videoId])).toEqual([
      [0, 'adaEngine01'],
      [1, 'adaNotes_02'],
      [2, 'graceCobol1'],
    ]);
    expect(found[1]).toMatchObject({
      kind: 'youtube#playlistItem',
      snippet: { playlistId: MATHEMATICS, title: 'Bernoulli numbers by engine', videoOwnerChannelId: ADA },
      contentDetails: { note: 'Mind note G' },
      status: { privacyStatus: 'public' },
    });
    expect(items(await list({ playlistId: MATHEMATICS, videoId: 'graceCobol1' }))).toHaveLength(1);
    expect(ids(await list({ id: found[2].id }))).toEqual([found[2].id]);
  });

  test('of uploads are the public videos, newest first', async () => {
    expect(await videosOf(`UU${ADA.slice(2)}`)).toEqual(['adaNotes_02', 'adaEngine01']);
  });

  test('are put where they are asked to be, and move the others', async () => {
    const made = await insert({ playlistId: MATHEMATICS, resourceId: video('graceBug_02'), position: 0 });
    expect(made).toMatchObject({ status: 200, body: { snippet: { position: 0 } } });
    await insert(
      { playlistId: MATHEMATICS, resourceId: video('societyLec1') },
      { part: 'snippet,contentDetails', contentDetails: { note: 'n'.repeat(280) } },
    );
    expect(await videosOf(MATHEMATICS)).toEqual([
      'graceBug_02',
      'adaEngine01',
      'adaNotes_02',
      'graceCobol1',
      'societyLec1',
    ]);
    expect((await show(MATHEMATICS)).contentDetails.itemCount).toBe(5);
    expect((await data('DELETE', 'playlistItems', { id: made.body.id })).status).toBe(204);
    expect((await videosOf(MATHEMATICS))[0]).toBe('adaEngine01');
    expect(reason(await data('DELETE', 'playlistItems', { id: made.body.id }))).toEqual([
      404,
      'playlistItemNotFound',
    ]);
  });

  test('come first in a playlist that sorts itself', async () => {
    await insert({ playlistId: TO_WATCH, resourceId: video('societyLec1') });
    expect(await videosOf(TO_WATCH)).toEqual(['societyLec1', 'graceBug_02']);
  });

  test.each([
    {
      title: 'a position in a playlist that sorts itself',
      snippet: { playlistId: TO_WATCH, resourceId: video('adaEngine01'), position: 0 },
      error: [400, 'manualSortRequired'],
    },
    {
      title: 'a position behind the end',
      snippet: { playlistId: MATHEMATICS, resourceId: video('adaEngine01'), position: 4 },
      error: [400, 'invalidPlaylistItemPosition'],
    },
    {
      title: 'no playlist',
      snippet: { resourceId: video('adaEngine01') },
      error: [400, 'playlistIdRequired'],
    },
    { title: 'no resource', snippet: { playlistId: MATHEMATICS }, error: [400, 'resourceIdRequired'] },
    {
      title: 'a resource without its kind',
      snippet: { playlistId: MATHEMATICS, resourceId: { videoId: 'adaEngine01' } },
      error: [400, 'resourceIdRequired'],
    },
    {
      title: 'a resource that is no video',
      snippet: { playlistId: MATHEMATICS, resourceId: { kind: 'youtube#channel', channelId: ADA } },
      error: [400, 'invalidResourceType'],
    },
    {
      title: 'an unknown video',
      snippet: { playlistId: MATHEMATICS, resourceId: video('nothing') },
      error: [404, 'videoNotFound'],
    },
    {
      title: 'a private video of another',
      snippet: { playlistId: MATHEMATICS, resourceId: video('graceHide03') },
      error: [404, 'videoNotFound'],
    },
    {
      title: 'an unknown playlist',
      snippet: { playlistId: 'PLnothing', resourceId: video('adaEngine01') },
      error: [404, 'playlistNotFound'],
    },
    {
      title: 'a playlist of another',
      snippet: { playlistId: playlist('graceCompilers'), resourceId: video('adaEngine01') },
      error: [403, 'playlistItemsNotAccessible'],
    },
    {
      title: 'a playlist of uploads',
      snippet: { playlistId: `UU${ADA.slice(2)}`, resourceId: video('adaEngine01') },
      error: [400, 'playlistOperationUnsupported'],
    },
    {
      title: 'a note that is too long',
      snippet: { playlistId: MATHEMATICS, resourceId: video('adaEngine01') },
      more: { part: 'snippet,contentDetails', contentDetails: { note: 'n'.repeat(281) } },
      error: [400, 'invalidContentDetails'],
    },
    {
      title: 'a note without its part',
      snippet: { playlistId: MATHEMATICS, resourceId: video('adaEngine01') },
      more: { contentDetails: { note: 'n' } },
      error: [400, 'unexpectedPart'],
    },
  ])('refuse $title', async ({ snippet, more, error }) => {
    expect(reason(await insert(snippet, more))).toEqual(error);
  });

  test.each([
    { query: { playlistId: 'PLnothing' }, error: [404, 'playlistNotFound'] },
    { query: { playlistId: playlist('graceSecrets') }, error: [403, 'playlistItemsNotAccessible'] },
    { query: { playlistId: MATHEMATICS, id: 'x' }, error: [400, 'incompatibleParameters'] },
    { query: { playlistId: MATHEMATICS, videoId: 'nothing' }, error: [404, 'videoNotFound'] },
  ])('refuse to list $query', async ({ query, error }) => {
    expect(reason(await list(query as Record<string, string>))).toEqual(error);
  });
});
