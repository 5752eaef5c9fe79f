import type { KeyPlace } from './place.js';

/** Encrypts data keys, and nothing else. What it encrypted for one place opens in no other. */
export interface RootKey {
  /** Stands in everything that it wrapped, without dots. */
  readonly id: string;
  readonly wrap: (place: KeyPlace, plain: Buffer) => Promise<Buffer>;
  /** Throws unavailable where the key is out of reach for now, and anything else when it did not wrap this. */
  readonly unwrap: (place: KeyPlace, body: Buffer) => Promise<Buffer>;
}
