import type { KeyLocation } from './ciphertext.js';

/** Encrypts data keys, and nothing else. A wrapped key opens in its own location only. */
export interface RootKey {
  /** Id without dots, which is part of every key that it wrapped. */
  readonly id: string;
  readonly wrap: (location: KeyLocation, plain: Buffer) => Promise<Buffer>;
  /** Throws `unavailable` while the key is unreachable, and any other error when it did not wrap this. */
  readonly unwrap: (location: KeyLocation, body: Buffer) => Promise<Buffer>;
}
