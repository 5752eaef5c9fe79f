import { forbidden, refuse } from '../refusals.js';
import { isVisible, likesId, type Playlist, type PlaylistItem, uploadsId, type World } from '../world.js';
import type { Call } from './call.js';

/** Finds a playlist by id: a created playlist, or the generated uploads or likes playlist of a channel. */
export function findPlaylist(world: World, id: string): Playlist | undefined {
  return world.playlists.get(id) ?? uploadsOf(world, id) ?? likesOf(world, id);
}

export function ownPlaylist({ world, me }: Call, id: string): Playlist {
  const playlist = findPlaylist(world, id);
  if (playlist === undefined || !isVisible(playlist, me))
    throw refuse(404, 'playlistNotFound', 'The playlist identified with the request cannot be found.');
  if (playlist.channelId !== me.id) throw forbidden();
  return playlist;
}

/** Returns true for a created playlist. The generated uploads and likes playlists cannot be edited directly. */
export function isMade({ playlists }: World, { id }: Playlist): boolean {
  return playlists.has(id);
}

function uploadsOf(world: World, id: string): Playlist | undefined {
  const channel = [...world.channels.values()].find((one) => uploadsId(one.id) === id);
  if (channel === undefined) return undefined;
  const uploads = [...world.videos.values()]
    .filter(({ channelId, status }) => channelId === channel.id && status.privacyStatus === 'public')
    .sort((a, b) => b.publishedAt - a.publishedAt)
    .map((video) => ({ videoId: video.id, addedAt: video.publishedAt }));
  return automatic({ id, channelId: channel.id, title: `Uploads from ${channel.title}` }, uploads, {
    publishedAt: channel.publishedAt,
    privacyStatus: 'public',
  });
}

function likesOf(world: World, id: string): Playlist | undefined {
  const channel = [...world.channels.values()].find((one) => likesId(one.id) === id);
  if (channel === undefined) return undefined;
  const liked = [...(world.ratings.get(channel.id) ?? [])]
    .filter(([, rating]) => rating === 'like')
    .map(([videoId]) => ({ videoId, addedAt: channel.publishedAt }));
  return automatic({ id, channelId: channel.id, title: 'Liked videos' }, liked, {
    publishedAt: channel.publishedAt,
    privacyStatus: 'private',
  });
}

function automatic(
  { id, channelId, title }: { id: string; channelId: string; title: string },
  entries: readonly Pick<PlaylistItem, 'videoId' | 'addedAt'>[],
  { publishedAt, privacyStatus }: { publishedAt: number; privacyStatus: 'public' | 'private' },
): Playlist {
  const items = entries.map((entry) => ({
    ...entry,
    id: Buffer.from(`${id}.${entry.videoId}`).toString('base64url'),
    contentDetails: {},
  }));
  return {
    id,
    channelId,
    publishedAt,
    snippet: { title, description: '' },
    status: { privacyStatus },
    localizations: {},
    isSortedByHand: false,
    items,
  };
}
