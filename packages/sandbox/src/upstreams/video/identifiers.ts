import { randomBytes } from 'node:crypto';
import { randomToken } from '../../identifiers.js';

export const newPlaylistId = (): string => `PL${randomToken(24)}`;
export const newItemId = (): string => randomToken(36);
export const newSubscriptionId = (): string => randomToken(32);
export const newCommentId = (): string => `Ugz${randomToken(12)}4AaABAg`;
export const newGroupId = (): string => randomToken(12);
export const newJobId = (): string => randomBytes(16).toString('hex');

export const newCaptionId = (): string => randomToken(30);
export const newLiveId = (): string => randomToken(24);
/** Of a video, and of a broadcast, which is one. */
export const newVideoId = (): string => randomToken(8);

export const uploadsId = (channelId: string): string => `UU${channelId.slice(2)}`;
export const likesId = (channelId: string): string => `LL${channelId.slice(2)}`;
