import { type Fields, timeOf, type Video } from '../world.js';
import type { Call } from './call.js';
import { thumbnails } from './resource.js';
import { likesOf } from './video-parts.js';

export const KINDS = ['video', 'channel', 'playlist'] as const;
export type Kind = (typeof KINDS)[number];

export interface Candidate {
  readonly kind: Kind;
  readonly id: string;
  readonly channelId: string;
  readonly title: string;
  readonly description: string;
  readonly publishedAt: number;
  readonly views: number;
  readonly likes: number;
  readonly videos: number;
  readonly snippet: Fields;
  readonly video?: Video;
}

/** Functions that return the searchable items of each kind. Private videos are included only with `forMine`. */
export const CANDIDATES: Readonly<Record<Kind, (call: Call) => Candidate[]>> = {
  video: videos,
  channel: channels,
  playlist: playlists,
};

function videos(call: Call): Candidate[] {
  const { world, parameters, me } = call;
  const ownsAll = parameters.flag('forMine') === true;
  return [...world.videos.values()]
    .filter(({ status, channelId }) => status.privacyStatus === 'public' || (ownsAll && channelId === me.id))
    .map((video) => ({
      ...described('video', video, call),
      views: video.views,
      likes: likesOf(video, world),
      videos: 0,
      video,
    }));
}

function playlists(call: Call): Candidate[] {
  return [...call.world.playlists.values()]
    .filter(({ status }) => status.privacyStatus === 'public')
    .map((playlist) => ({
      ...described('playlist', playlist, call),
      views: 0,
      likes: 0,
      videos: playlist.items.length,
    }));
}

function channels(call: Call): Candidate[] {
  const { world } = call;
  return [...world.channels.values()].map((channel) => {
    const { id, title, description } = channel;
    const publicVideos = [...world.videos.values()].filter(
      ({ channelId, status }) => channelId === id && status.privacyStatus === 'public',
    );
    const made = { id, channelId: id, publishedAt: channel.publishedAt, snippet: { title, description } };
    return {
      ...described('channel', made, call),
      views: publicVideos.reduce((sum, { views }) => sum + views, 0),
      likes: 0,
      videos: publicVideos.length,
    };
  });
}

interface Made {
  readonly id: string;
  readonly channelId: string;
  readonly publishedAt: number;
  readonly snippet: Fields;
}

function described(kind: Kind, { id, channelId, publishedAt, snippet }: Made, { world }: Call) {
  const title = String(snippet.title ?? '');
  const description = String(snippet.description ?? '');
  return {
    kind,
    id,
    channelId,
    title,
    description,
    publishedAt,
    snippet: {
      publishedAt: timeOf(publishedAt),
      channelId,
      title,
      description,
      thumbnails: thumbnails(kind === 'channel' ? `ch/${id}` : `vi/${id}`),
      channelTitle: world.channels.get(channelId)?.title,
      liveBroadcastContent: 'none',
    },
  };
}
