import { type Fields, timeOf, type Video, type World } from '../world.js';
import type { Call } from './call.js';
import { type PartMakers, thumbnails } from './resource.js';

export const OWNER_PARTS = ['fileDetails', 'processingDetails', 'suggestions'] as const;

export const VIDEO_MAKERS: PartMakers<Video> = {
  snippet: presentSnippet,
  contentDetails: ({ id, channelId, seconds, hasCustomThumbnail = false }, { world, me }) => ({
    duration: durationOf(seconds),
    dimension: '2d',
    definition: 'hd',
    caption: String([...world.captions.values()].some(({ videoId }) => videoId === id)),
    licensedContent: false,
    contentRating: {},
    projection: 'rectangular',
    ...(channelId === me.id ? { hasCustomThumbnail } : {}),
  }),
  status: ({ status }) => ({
    uploadStatus: 'processed',
    ...status,
    madeForKids: status.selfDeclaredMadeForKids === true,
  }),
  statistics: presentStatistics,
  player: ({ id }) => ({
    embedHtml: `<iframe width="480" height="270" src="//www.youtube.com/embed/${id}" frameborder="0" allowfullscreen></iframe>`,
  }),
  topicDetails: () => ({ topicCategories: ['https://en.wikipedia.org/wiki/Technology'] }),
  recordingDetails: ({ recordingDetails }) => recordingDetails,
  liveStreamingDetails: () => undefined,
  localizations: ({ localizations }) => (Object.keys(localizations).length > 0 ? localizations : undefined),
  paidProductPlacementDetails: ({ paidProductPlacementDetails }) => ({
    hasPaidProductPlacement: false,
    ...paidProductPlacementDetails,
  }),
  brandPartner: ({ brandPartner }) => brandPartner,
  fileDetails: ({ id, seconds }) => ({
    fileName: `${id}.mp4`,
    fileType: 'video',
    durationMs: String(seconds * 1000),
  }),
  processingDetails: () => ({ processingStatus: 'succeeded' }),
  suggestions: () => ({}),
};

function presentSnippet(
  { id, channelId, publishedAt, snippet, hasCustomThumbnail }: Video,
  { world }: Call,
): Fields {
  const { title, description } = snippet;
  return {
    publishedAt: timeOf(publishedAt),
    channelId,
    channelTitle: world.channels.get(channelId)?.title,
    ...snippet,
    thumbnails: thumbnails(`vi/${id}`, { hasLarge: hasCustomThumbnail === true }),
    liveBroadcastContent: 'none',
    localized: { title, description },
  };
}

export function presentStatistics(video: Video, { world, me }: Call): Fields {
  const { id, takesRatings, status } = video;
  const isPublic = status.publicStatsViewable !== false || video.channelId === me.id;
  const comments = [...world.comments.values()].filter(({ videoId }) => videoId === id).length;
  return {
    viewCount: String(video.views),
    ...(takesRatings && isPublic ? { likeCount: String(likesOf(video, world)) } : {}),
    favoriteCount: '0',
    ...(video.takesComments ? { commentCount: String(comments) } : {}),
  };
}

export function likesOf({ id, likes }: Video, { ratings }: World): number {
  return likes + [...ratings.values()].filter((of) => of.get(id) === 'like').length;
}

/** Formats a duration as ISO 8601, such as `PT1H2M3S`. */
export function durationOf(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 3600), 'H'],
    [Math.floor(seconds / 60) % 60, 'M'],
    [seconds % 60, 'S'],
  ] as const;
  return `PT${parts.map(([value, unit]) => (value > 0 ? `${value}${unit}` : '')).join('')}`;
}
