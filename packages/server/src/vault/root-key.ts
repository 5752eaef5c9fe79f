import type { KeyLocation } from './ciphertext.js';

/**
 * Key that encrypts data keys and the pepper (the HMAC key of all digests), and nothing else. A wrapped (encrypted) key
 * can only be decrypted for its own row and column.
 */
export interface RootKey {
  /**
   * Id of the root key. Ciphertexts have the form `format.keyId.body`. The id must not contain dots, because dots
   * separate these parts.
   */
  readonly id: string;
  readonly wrap: (location: KeyLocation, plain: Buffer) => Promise<Buffer>;
  /**
   * Decrypts a wrapped key: a data key or the pepper. Throws `unavailable` if the root key is unreachable, and any
   * other error if this root key did not encrypt it.
   */
  readonly unwrap: (location: KeyLocation, body: Buffer) => Promise<Buffer>;
}
