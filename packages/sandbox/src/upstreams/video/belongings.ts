import type { Fields } from './world.js';

/** A shelf on the page of a channel. */
export interface Section {
  readonly id: string;
  readonly channelId: string;
  readonly position: number;
  readonly snippet: Fields;
  readonly contentDetails: Fields;
}

/** The picture that stands over a playlist. */
export interface PlaylistImage {
  readonly id: string;
  readonly channelId: string;
  readonly playlistId: string;
  readonly width: number;
  readonly height: number;
}

/** What ties a channel to another company; its id is the token that the company gave. */
export interface ThirdPartyLink {
  readonly id: string;
  readonly channelId: string;
  readonly snippet: Fields;
}
