import { randomBytes } from 'node:crypto';
import type { Clock } from '../../clock.js';
import { ApiError } from '../../google/api-error.js';
import { randomToken } from '../../identifiers.js';
import type { Person } from '../../person.js';

export type Fields = Record<string, unknown>;
export type Privacy = 'public' | 'unlisted' | 'private';

export interface Channel {
  readonly id: string;
  /** Id of the seeded person who owns this channel. Absent for a channel without a seeded person. */
  readonly personId?: string;
  readonly title: string;
  readonly description: string;
  /** Channel handle, including the `@`. */
  readonly handle: string;
  readonly username?: string;
  readonly country: string;
  readonly publishedAt: number;
  /** Number of subscribers that exist in addition to the subscriptions in the sandbox. */
  readonly subscribers: number;
  readonly showsSubscriptions: boolean;
  /** Id of the content owner (a rights holder) for whom the owner of this channel may act. */
  readonly contentOwner?: string;
  readonly hasMemberships?: true;
  readonly settings?: Fields;
  readonly localizations?: Fields;
  readonly banner?: string;
  readonly isMadeForKids?: boolean;
}

export interface Owned {
  readonly id: string;
  readonly channelId: string;
}

export interface Video extends Owned {
  readonly publishedAt: number;
  readonly seconds: number;
  readonly views: number;
  readonly likes: number;
  readonly takesRatings: boolean;
  readonly takesComments: boolean;
  snippet: Fields;
  status: Fields & { privacyStatus: Privacy };
  recordingDetails: Fields;
  localizations: Fields;
  paidProductPlacementDetails: Fields;
  wasPublished: boolean;
  hasCustomThumbnail?: true;
  brandPartner?: Fields | undefined;
}

export interface PlaylistItem {
  readonly id: string;
  readonly videoId: string;
  readonly addedAt: number;
  readonly contentDetails: Fields;
}

export interface Playlist extends Owned {
  readonly publishedAt: number;
  snippet: Fields;
  status: Fields & { privacyStatus: Privacy };
  localizations: Fields;
  /** True if item positions can be set (manual sorting). Otherwise the newest item comes first. */
  readonly isSortedByHand: boolean;
  readonly items: PlaylistItem[];
}

export interface Comment {
  readonly id: string;
  readonly authorId: string;
  readonly videoId: string;
  /** Id of the parent comment. Absent for a top-level comment. */
  readonly parentId?: string;
  readonly text: string;
  readonly publishedAt: number;
  readonly likes: number;
  /** URL of the attached picture. */
  readonly imageUrl?: string;
  /** Moderation status. Absent if the comment is public. */
  readonly moderation?: Moderation;
}

export type Moderation = 'heldForReview' | 'likelySpam' | 'rejected';

export interface Subscription {
  readonly id: string;
  readonly subscriberId: string;
  readonly channelId: string;
  readonly publishedAt: number;
}

export interface Caption {
  readonly id: string;
  readonly videoId: string;
  readonly language: string;
  readonly name: string;
  readonly trackKind: 'standard' | 'ASR';
  readonly isDraft: boolean;
  readonly isAutoSynced: boolean;
  readonly updatedAt: number;
  readonly text: string;
}

export type Rating = 'like' | 'dislike';

/** All channels and their data. Every person sees the same world, as on a public platform. */
export type World = ReturnType<typeof createWorld>;

export function createWorld(clock: Clock) {
  return {
    channels: new Map<string, Channel>(),
    videos: new Map<string, Video>(),
    playlists: new Map<string, Playlist>(),
    comments: new Map<string, Comment>(),
    subscriptions: new Map<string, Subscription>(),
    captions: new Map<string, Caption>(),
    /** Ratings by channel id, then by video id. */
    ratings: new Map<string, Map<string, Rating>>(),
    groups: new Map<string, Group>(),
    jobs: new Map<string, Job>(),
    sections: new Map<string, Section>(),
    playlistImages: new Map<string, PlaylistImage>(),
    links: new Map<string, ThirdPartyLink>(),
    broadcasts: new Map<string, Broadcast>(),
    streams: new Map<string, Stream>(),
    messages: new Map<string, ChatMessage>(),
    bans: new Map<string, Ban>(),
    moderators: new Map<string, Moderator>(),
    /** Ids of the channels that uploaded banners, by banner URL. */
    banners: new Map<string, string>(),
    /** Ids of the people whose comments a channel rejects, by channel id. */
    unheard: new Map<string, Set<string>>(),
    now: clock.now,
  };
}

export function publishDue({ videos, now }: World): void {
  for (const video of videos.values()) {
    const { publishAt, ...status } = video.status;
    if (typeof publishAt !== 'string' || Date.parse(publishAt) > now()) continue;
    video.status = { ...status, privacyStatus: 'public' };
    video.wasPublished = true;
  }
}

/** Returns true if a channel may see an item. Private items are visible only to their owner. */
export function isVisible(
  { channelId, status }: { channelId: string; status: { privacyStatus: Privacy } },
  viewer: Channel,
): boolean {
  return status.privacyStatus !== 'private' || channelId === viewer.id;
}

export const timeOf = (instant: number): string => new Date(instant).toISOString().replace(/\.\d{3}Z$/, 'Z');

export interface Section extends Owned {
  readonly position: number;
  readonly snippet: Fields;
  readonly contentDetails: Fields;
}

export interface PlaylistImage extends Owned {
  readonly playlistId: string;
  readonly width: number;
  readonly height: number;
}

/** Link between a channel and another company. The id is the token that the company issued. */
export interface ThirdPartyLink extends Owned {
  readonly snippet: Fields;
}

export interface Stream extends Owned {
  readonly publishedAt: number;
  readonly snippet: Fields;
  readonly cdn: Fields;
  readonly contentDetails: Fields;
}

export type LifeCycle = 'created' | 'ready' | 'testing' | 'live' | 'complete';

export interface Broadcast extends Owned {
  readonly publishedAt: number;
  readonly snippet: Fields;
  readonly status: Fields & { readonly privacyStatus: Privacy };
  readonly contentDetails: Fields;
  readonly monetizationDetails: Fields;
  readonly lifeCycle: LifeCycle;
  readonly streamId?: string;
  readonly boundAt?: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
}

export interface ChatMessage extends Owned {
  readonly chatId: string;
  readonly publishedAt: number;
  readonly text: string;
  /** True for a deleted message. Deleted messages keep their positions, so that offsets of later pages stay correct. */
  readonly isDeleted?: true;
  readonly poll?: { readonly metadata: Fields; readonly status: 'active' | 'closed' };
}

export interface Ban extends Owned {
  readonly chatId: string;
  readonly bannedId: string;
  /** Duration of the ban in seconds. Absent for a permanent ban. */
  readonly seconds?: number;
  readonly from: number;
}

export interface Moderator extends Owned {
  readonly chatId: string;
  readonly moderatorId: string;
}

export const chatIdOf = (broadcastId: string): string =>
  Buffer.from(`chat of ${broadcastId}`).toString('base64url');

export const ITEM_TYPES = [
  'youtube#video',
  'youtube#channel',
  'youtube#playlist',
  'youtubePartner#asset',
] as const;
export type ItemType = (typeof ITEM_TYPES)[number];

export interface GroupItem {
  readonly id: string;
  readonly resource: { readonly kind: ItemType; readonly id: string };
}

/** A set of videos, playlists or channels whose statistics are reported together. */
export interface Group {
  readonly id: string;
  readonly owner: string;
  title: string;
  readonly itemType: ItemType;
  readonly publishedAt: number;
  readonly items: GroupItem[];
}

export interface Job {
  readonly id: string;
  readonly owner: string;
  readonly reportTypeId: string;
  readonly name: string;
  readonly createdAt: number;
  readonly isSystemManaged: boolean;
}

export function channelOf({ channels }: Pick<World, 'channels'>, person: Person): Channel {
  const match = [...channels.values()].find(({ personId }) => personId === person.id);
  if (match !== undefined) return match;
  throw new ApiError(401, 'youtubeSignupRequired', 'Unauthorized', { domain: 'youtube.header' });
}

export const newPlaylistId = (): string => `PL${randomToken(24)}`;
export const newItemId = (): string => randomToken(36);
export const newSubscriptionId = (): string => randomToken(32);
export const newCommentId = (): string => `Ugz${randomToken(12)}4AaABAg`;
export const newGroupId = (): string => randomToken(12);
export const newJobId = (): string => randomBytes(16).toString('hex');

export const newCaptionId = (): string => randomToken(30);
export const newLiveId = (): string => randomToken(24);
/** Creates the id of a video. Broadcasts use it too, because a broadcast is also a video. */
export const newVideoId = (): string => randomToken(8);

export const uploadsId = (channelId: string): string => `UU${channelId.slice(2)}`;
export const likesId = (channelId: string): string => `LL${channelId.slice(2)}`;
