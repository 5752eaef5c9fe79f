import { type Fields, isVisible, type Playlist, type PlaylistItem, timeOf, type Video } from '../world.js';
import type { Call } from './call.js';
import { type PartMakers, presentResource, thumbnails } from './resource.js';

interface Entry {
  readonly id: string;
  readonly playlist: Playlist;
  readonly item: PlaylistItem;
  readonly video: Video | undefined;
}

export const PLAYLIST_ITEM_MAKERS: PartMakers<Entry> = {
  snippet: presentSnippet,
  contentDetails: ({ item, video }) => ({
    videoId: item.videoId,
    ...item.contentDetails,
    ...(video === undefined ? {} : { videoPublishedAt: timeOf(video.publishedAt) }),
  }),
  status: ({ video }) => ({ privacyStatus: video?.status.privacyStatus ?? 'privacyStatusUnspecified' }),
};

// What became of a video shows in its place: a deleted or private one has no more than that as a title.
function presentSnippet({ playlist, item, video }: Entry, { world, me }: Call): Fields {
  const isShown = video !== undefined && isVisible(video, me);
  const lost = video === undefined ? 'Deleted video' : 'Private video';
  return {
    publishedAt: timeOf(item.addedAt),
    channelId: playlist.channelId,
    channelTitle: world.channels.get(playlist.channelId)?.title,
    title: isShown ? video.snippet.title : lost,
    description: isShown ? video.snippet.description : `This video is unavailable.`,
    thumbnails: isShown ? thumbnails(`vi/${video.id}`) : {},
    playlistId: playlist.id,
    position: playlist.items.indexOf(item),
    resourceId: { kind: 'youtube#video', videoId: item.videoId },
    ...(isShown
      ? {
          videoOwnerChannelId: video.channelId,
          videoOwnerChannelTitle: world.channels.get(video.channelId)?.title,
        }
      : {}),
  };
}

export function presentItem(
  { playlist, item }: { playlist: Playlist; item: PlaylistItem },
  call: Call,
): Fields {
  const entry = { id: item.id, playlist, item, video: call.world.videos.get(item.videoId) };
  return presentResource(entry, { kind: 'playlistItem', makers: PLAYLIST_ITEM_MAKERS, call });
}
