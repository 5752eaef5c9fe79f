import { expect, test, vi } from 'vitest';
import type { VideoPlaylistUpdateInput } from '../../../generated/handlers.js';
import { updatePlaylist } from './update-playlist.js';

const stored = {
  id: 'PL1',
  snippet: {
    title: 'Engines',
    description: 'From gears to code',
    defaultLanguage: 'en',
    tags: ['history'],
    channelId: 'UCada',
    thumbnails: {},
    localized: { title: 'Engines', description: 'From gears to code' },
  },
  status: { privacyStatus: 'unlisted', podcastStatus: 'enabled' },
};
const snippet = {
  title: 'Engines',
  description: 'From gears to code',
  defaultLanguage: 'en',
  tags: ['history'],
};

/** The body that is written. */
async function written(change: Omit<VideoPlaylistUpdateInput, 'playlist_id'>) {
  const send = vi
    .fn()
    .mockResolvedValueOnce({ items: [stored] })
    .mockResolvedValueOnce({ id: 'PL1' });
  expect(await updatePlaylist({ playlist_id: 'PL1', ...change }, send)).toEqual({ id: 'PL1' });
  const { body, ...request } = send.mock.lastCall?.[0] ?? {};
  expect(request).toEqual({
    method: 'PUT',
    path: '/youtube/v3/playlists',
    query: { part: 'snippet,status' },
  });
  return body;
}

test.each([
  { title: 'title', change: { title: 'Code' }, snippet: { ...snippet, title: 'Code' } },
  {
    title: 'empty description',
    change: { description: '' },
    snippet: { ...snippet, description: '' },
  },
  {
    title: 'language',
    change: { default_language: 'de' },
    snippet: { ...snippet, defaultLanguage: 'de' },
  },
])('keeps privacy, podcast status and tags beside a new $title', async ({ change, snippet: expected }) => {
  expect(await written(change)).toStrictEqual({ id: 'PL1', snippet: expected, status: stored.status });
});

test('keeps every text and the podcast status beside a new privacy', async () => {
  expect(await written({ privacy_status: 'public' })).toStrictEqual({
    id: 'PL1',
    snippet,
    status: { privacyStatus: 'public', podcastStatus: 'enabled' },
  });
});

test('writes nothing when the playlist does not exist', async () => {
  const send = vi.fn(async () => ({ items: [] }));
  await expect(updatePlaylist({ playlist_id: 'PL1', title: 'Code' }, send)).rejects.toMatchObject({
    code: 'not_found',
  });
  expect(send).toHaveBeenCalledOnce();
});
