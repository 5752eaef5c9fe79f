import { describe, expect, test } from 'vitest';
import { ADA, data, ids, items, playlist, read, reason, useVideo } from './setup.js';

useVideo();

const MATHEMATICS = playlist('adaMathematics');
const TO_WATCH = playlist('adaWatchLater');

const show = async (id: string) =>
  items(await read('playlists', { part: 'snippet,status,contentDetails', id }))[0];
const _write = (method: 'POST' | 'PUT', part: string, body: object) =>
  data(method, 'playlists', { part }, { body });

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

  test('are listed in order with their video details', async () => {
    const entries = items(await list({ playlistId: MATHEMATICS }));
    expect(entries.map(({ snippet }) => [snippet.position, snippet.resourceId.videoId])).toEqual([
      [0, 'adaEngine01'],
      [1, 'adaNotes_02'],
      [2, 'graceCobol1'],
    ]);
    expect(entries[1]).toMatchObject({
      kind: 'youtube#playlistItem',
      snippet: { playlistId: MATHEMATICS, title: 'Bernoulli numbers by engine', videoOwnerChannelId: ADA },
      contentDetails: { note: 'Mind note G' },
      status: { privacyStatus: 'public' },
    });
    expect(items(await list({ playlistId: MATHEMATICS, videoId: 'graceCobol1' }))).toHaveLength(1);
    expect(ids(await list({ id: entries[2].id }))).toEqual([entries[2].id]);
  });

  test('are the public videos, newest first, in the uploads playlist', async () => {
    expect(await videosOf(`UU${ADA.slice(2)}`)).toEqual(['adaNotes_02', 'adaEngine01']);
  });

  test('are inserted at the requested position and shift the others', async () => {
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

  test('are inserted first in an automatically sorted playlist', async () => {
    await insert({ playlistId: TO_WATCH, resourceId: video('societyLec1') });
    expect(await videosOf(TO_WATCH)).toEqual(['societyLec1', 'graceBug_02']);
  });

  test.each([
    {
      title: 'a position in an automatically sorted playlist',
      snippet: { playlistId: TO_WATCH, resourceId: video('adaEngine01'), position: 0 },
      error: [400, 'manualSortRequired'],
    },
    {
      title: 'a position after the end',
      snippet: { playlistId: MATHEMATICS, resourceId: video('adaEngine01'), position: 4 },
      error: [400, 'invalidPlaylistItemPosition'],
    },
    {
      title: 'a missing playlist',
      snippet: { resourceId: video('adaEngine01') },
      error: [400, 'playlistIdRequired'],
    },
    { title: 'a missing resource', snippet: { playlistId: MATHEMATICS }, error: [400, 'resourceIdRequired'] },
    {
      title: 'a resource without a kind',
      snippet: { playlistId: MATHEMATICS, resourceId: { videoId: 'adaEngine01' } },
      error: [400, 'resourceIdRequired'],
    },
    {
      title: 'a resource that is not a video',
      snippet: { playlistId: MATHEMATICS, resourceId: { kind: 'youtube#channel', channelId: ADA } },
      error: [400, 'invalidResourceType'],
    },
    {
      title: 'an unknown video',
      snippet: { playlistId: MATHEMATICS, resourceId: video('nothing') },
      error: [404, 'videoNotFound'],
    },
    {
      title: 'a private video of another user',
      snippet: { playlistId: MATHEMATICS, resourceId: video('graceHide03') },
      error: [404, 'videoNotFound'],
    },
    {
      title: 'an unknown playlist',
      snippet: { playlistId: 'PLnothing', resourceId: video('adaEngine01') },
      error: [404, 'playlistNotFound'],
    },
    {
      title: 'a playlist of another user',
      snippet: { playlistId: playlist('graceCompilers'), resourceId: video('adaEngine01') },
      error: [403, 'playlistItemsNotAccessible'],
    },
    {
      title: 'the uploads playlist',
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
