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
  test('are listed if visible, by own channel, by channel and by id', async () => {
    expect(ids(await read('playlists', { part: 'id', mine: 'true' }))).toHaveLength(3);
    expect(ids(await read('playlists', { part: 'id', channelId: ADA }, grace))).toEqual([MATHEMATICS]);
    expect(ids(await read('playlists', { part: 'id', channelId: GRACE }))).toEqual([
      playlist('graceCompilers'),
    ]);
    const wanted = [playlist('adaLectures'), TO_WATCH, 'PLnothing'].join(',');
    expect(ids(await read('playlists', { part: 'id', id: wanted }, grace))).toEqual([
      playlist('adaLectures'),
    ]);
  });

  test('are split into pages, whose tokens are bound to the request', async () => {
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

  test('are created as public by default and can be found', async () => {
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
      title: 'the snippet loses omitted fields',
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
      title: 'an absent part stays unchanged',
      part: 'snippet,status',
      body: { snippet: { title: 'T' } },
      expected: { snippet: { title: 'T', description: '' }, privacy: 'private', podcast: 'disabled' },
    },
  ])('are updated by part: $title', async ({ part, body, expected }) => {
    expect((await write('PUT', part, { id: TO_WATCH, ...body })).status).toBe(200);
    const { snippet, status } = await show(TO_WATCH);
    expect(snippet).toMatchObject(expected.snippet);
    expect(status).toEqual({ privacyStatus: expected.privacy, podcastStatus: expected.podcast });
  });

  test('lose tags and language in an update without them', async () => {
    await write('PUT', 'snippet', { id: MATHEMATICS, snippet: { title: 'Mathematics' } });
    const { snippet } = await show(MATHEMATICS);
    expect([snippet.tags, snippet.defaultLanguage, snippet.description]).toEqual([undefined, undefined, '']);
  });

  test('accept their own representation with read-only fields', async () => {
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
      title: 'with an unnamed part',
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
      title: 'of an unknown playlist',
      part: 'snippet',
      body: { id: 'PLnothing', snippet: { title: 'T' } },
      error: [404, 'playlistNotFound'],
    },
    {
      title: 'of a playlist of another user',
      part: 'snippet',
      body: { id: playlist('graceCompilers'), snippet: { title: 'T' } },
      error: [403, 'forbidden'],
    },
    {
      title: 'of a private playlist of another user',
      part: 'snippet',
      body: { id: playlist('graceSecrets'), snippet: { title: 'T' } },
      error: [404, 'playlistNotFound'],
    },
    {
      title: 'of the uploads playlist',
      part: 'snippet',
      body: { id: `UU${ADA.slice(2)}`, snippet: { title: 'T' } },
      error: [400, 'playlistOperationUnsupported'],
    },
  ])('refuse an update $title', async ({ part, body, error }) => {
    expect(reason(await write('PUT', part, body))).toEqual(error);
  });

  test('are deleted only once and only by their owner', async () => {
    const remove = (id: string) => data('DELETE', 'playlists', { id });
    expect(await remove(MATHEMATICS)).toMatchObject({ status: 204, body: undefined });
    expect(reason(await remove(MATHEMATICS))).toEqual([404, 'playlistNotFound']);
    expect(reason(await remove(playlist('graceCompilers')))).toEqual([403, 'forbidden']);
    expect(reason(await data('DELETE', 'playlists'))).toEqual([400, 'missingRequiredParameter']);
  });
});
