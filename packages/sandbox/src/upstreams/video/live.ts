import type { Fields, Privacy } from './world.js';

/** What a broadcast is fed with: an encoder sends to it. */
export interface Stream {
  readonly id: string;
  readonly channelId: string;
  readonly publishedAt: number;
  readonly snippet: Fields;
  readonly cdn: Fields;
  readonly contentDetails: Fields;
}

export type LifeCycle = 'created' | 'ready' | 'testing' | 'live' | 'complete';

export interface Broadcast {
  readonly id: string;
  readonly channelId: string;
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

export interface ChatMessage {
  readonly id: string;
  readonly channelId: string;
  readonly chatId: string;
  readonly publishedAt: number;
  readonly text: string;
  /** What was deleted keeps its place, so that those who read on miss nothing. */
  readonly isDeleted?: true;
  /** Of a poll: its question and answers. */
  readonly poll?: { readonly metadata: Fields; readonly status: 'active' | 'closed' };
}

/** Somebody who may not speak in a chat. */
export interface Ban {
  readonly id: string;
  /** Of the chat. */
  readonly channelId: string;
  readonly chatId: string;
  readonly bannedId: string;
  /** Absent: for good. */
  readonly seconds?: number;
  readonly from: number;
}

export interface Moderator {
  readonly id: string;
  /** Of the chat. */
  readonly channelId: string;
  readonly chatId: string;
  readonly moderatorId: string;
}

/** The chat of a broadcast, by its own id. */
export const chatIdOf = (broadcastId: string): string =>
  Buffer.from(`chat of ${broadcastId}`).toString('base64url');
