import { randomBytes } from 'node:crypto';
import type { Clock } from '../../clock.js';
import { ApiError } from '../../google/api-error.js';
import { randomToken } from '../../identifiers.js';
import type { Person } from '../../person.js';

export type Fields = Record<string, unknown>;
export type Privacy = 'public' | 'unlisted' | 'private';

export interface Channel {
  readonly id: string;
  /** Person who acts as this channel, when it belongs to one of the sandbox's people. */
  readonly personId?: string;
  readonly title: string;
  readonly description: string;
  /** Handle, including its `@`. */
  readonly handle: string;
  readonly username?: string;
  readonly country: string;
  readonly publishedAt: number;
  /** Subscribers beside those that the sandbox knows. */
  readonly subscribers: number;
  readonly showsSubscriptions: boolean;
  /** The content owner that its person may act for. */
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
  /** Positions may be set only where the order is made by hand; elsewhere the newest comes first. */
  readonly isSortedByHand: boolean;
  readonly items: PlaylistItem[];
}

export interface Comment {
  readonly id: string;
  readonly authorId: string;
  readonly videoId: string;
  /** Id of the comment to which a reply belongs. */
  readonly parentId?: string;
  readonly text: string;
  readonly publishedAt: number;
  readonly likes: number;
  /** Address of the picture that is attached to it. */
  readonly imageUrl?: string;
  /** Absent: everybody sees it. */
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

/** All channels and what they share: there is one world for all people. */
export type World = ReturnType<typeof createWorld>;

export function createWorld(clock: Clock) {
  return {
    channels: new Map<string, Channel>(),
    videos: new Map<string, Video>(),
    playlists: new Map<string, Playlist>(),
    comments: new Map<string, Comment>(),
    subscriptions: new Map<string, Subscription>(),
    captions: new Map<string, Caption>(),
    /** Ratings by channel, then by video. */
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
    /** Channels that sent a picture as a banner, by the address of the picture. */
    banners: new Map<string, string>(),
    /** Channels whose comments a channel rejects, by that channel. */
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

/** Returns whether a channel may see an item. Private items are visible to their owner only. */
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

/** Link between a channel and another company. Its id is the token that the company issued. */
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
  /** Deleted items keep their positions, so that readers of later pages miss nothing. */
  readonly isDeleted?: true;
  readonly poll?: { readonly metadata: Fields; readonly status: 'active' | 'closed' };
}

export interface Ban extends Owned {
  readonly chatId: string;
  readonly bannedId: string;
  /** Absent: permanently. */
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

/** A set of videos, playlists or channels that is reported as one. */
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
  const found = [...channels.values()].find(({ personId }) => personId === person.id);
  if (found !== undefined) return found;
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
/** Creates the id of a video or of a broadcast, which is a video too. */
export const newVideoId = (): string => randomToken(8);

export const uploadsId = (channelId: string): string => `UU${channelId.slice(2)}`;
export const likesId = (channelId: string): string => `LL${channelId.slice(2)}`;
