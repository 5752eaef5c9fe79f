import { describe, expect, test } from 'vitest';
import { ADA, GRACE, items, playlist, read, reason, useVideo } from './setup.js';

useVideo();

const search = (query: Record<string, string>) => read('search', { part: 'snippet', ...query });
const searchIds = async (query: Record<string, string>) =>
  items(await search({ maxResults: '50', ...query })).map(
    ({ id }) => id.videoId ?? id.channelId ?? id.playlistId,
  );

describe('search', () => {
  test('returns five results of all kinds by default, with objects as ids', async () => {
    const { body } = await search({ q: '' });
    expect(body).toMatchObject({
      kind: 'youtube#searchListResponse',
      regionCode: 'US',
      pageInfo: { resultsPerPage: 5 },
      nextPageToken: expect.any(String),
    });
    const kinds = items(await search({ maxResults: '50' })).map(({ id }) => id.kind);
    expect(new Set(kinds)).toEqual(new Set(['youtube#video', 'youtube#channel', 'youtube#playlist']));
    expect(items(await search({ q: 'compiler explained' }))).toMatchObject([
      {
        kind: 'youtube#searchResult',
        id: { kind: 'youtube#video', videoId: 'graceCobol1' },
        snippet: { channelId: GRACE, channelTitle: 'Grace Hopper', liveBroadcastContent: 'none' },
      },
    ]);
  });

  test.each([
    {
      query: { q: 'engine', type: 'video', order: 'title' },
      expected: ['societyLec1', 'adaNotes_02', 'adaEngine01', 'babbageDif1'],
    },
    {
      query: { q: 'engine -difference', type: 'video', order: 'viewCount' },
      expected: ['adaEngine01', 'adaNotes_02', 'societyLec1'],
    },
    { query: { q: 'bug|compiler', type: 'video', order: 'date' }, expected: ['graceBug_02', 'graceCobol1'] },
    { query: { type: 'video', videoDuration: 'short' }, expected: ['adaNotes_02', 'graceBug_02'] },
    { query: { type: 'video', videoDuration: 'medium' }, expected: ['adaEngine01'] },
    { query: { type: 'video', videoDuration: 'long', channelId: GRACE }, expected: ['graceCobol1'] },
    {
      query: { type: 'playlist,channel', channelId: ADA, order: 'videoCount' },
      expected: [playlist('adaMathematics'), ADA],
    },
    {
      query: { type: 'video', forMine: 'true', order: 'title' },
      expected: ['adaNotes_02', 'adaDraft_04', 'adaEngine01', 'adaLoom__03'],
    },
    {
      query: { type: 'video', publishedAfter: '2026-01-21T09:00:00Z', order: 'date' },
      expected: ['societyLec1', 'babbageDif1'],
    },
    { query: { type: 'video', publishedBefore: '2026-01-16T10:00:00+01:00' }, expected: ['adaEngine01'] },
    {
      query: { type: 'video', videoCategoryId: '27', order: 'rating' },
      expected: ['graceCobol1', 'adaNotes_02', 'societyLec1'],
    },
  ])('finds by $query', async ({ query, expected }) => {
    expect(await searchIds(query as Record<string, string>)).toEqual(expected);
  });

  test('is split into pages, whose tokens are bound to the request', async () => {
    const query = { q: 'engine', type: 'video', maxResults: '3' };
    const first = await search(query);
    const second = await search({ ...query, pageToken: first.body.nextPageToken });
    expect([items(first).length, items(second).length]).toEqual([3, 1]);
    expect(reason(await search({ ...query, q: 'bug', pageToken: first.body.nextPageToken }))).toEqual([
      400,
      'invalidPageToken',
    ]);
  });

  test.each([
    { query: { videoDuration: 'short' }, error: [400, 'invalidSearchFilter'] },
    { query: { videoDuration: 'short', type: 'video,channel' }, error: [400, 'invalidSearchFilter'] },
    { query: { type: 'movie' }, error: [400, 'invalidParameter'] },
    { query: { order: 'newest' }, error: [400, 'invalidParameter'] },
    { query: { safeSearch: 'on' }, error: [400, 'invalidParameter'] },
    { query: { publishedAfter: '2026-01-21' }, error: [400, 'invalidParameter'] },
    { query: { maxResults: '51' }, error: [400, 'invalidParameter'] },
    { query: { channelId: 'UCnobody' }, error: [400, 'invalidChannelId'] },
    { query: { part: 'statistics' }, error: [400, 'unknownPart'] },
    { query: { query: 'engine' }, error: [400, 'unexpectedParameter'] },
  ])('refuses $query', async ({ query, error }) => {
    expect(reason(await search(query as Record<string, string>))).toEqual(error);
  });
});
