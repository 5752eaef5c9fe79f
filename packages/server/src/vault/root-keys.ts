import { ServiceError } from '../errors.js';
import { formatCiphertext, type KeyLocation, parseCiphertext, unreadable } from './ciphertext.js';
import type { RootKey } from './root-key.js';
import type { RootKeyFile } from './root-key-file.js';

/** The current root key, which encrypts, and previous root keys, which only decrypt. */
export interface RootKeys {
  /**
   * Returns the ids of all root keys, the current one first. Each call reads the keys again, because another process
   * may have added a key.
   */
  readonly ids: () => readonly string[];
  readonly isCurrent: (wrapped: string) => boolean;
  readonly wrap: (location: KeyLocation, plain: Buffer) => Promise<string>;
  /**
   * File to which a rotation adds the new root key. Absent if the operator supplies the keys by settings or a key
   * service.
   */
  readonly keyFile?: RootKeyFile | undefined;
  /**
   * Decrypts a wrapped key: a data key or the pepper, encrypted by a root key. Throws `unavailable` if the key service
   * is unreachable, and `internal_error` if no root key can decrypt it.
   */
  readonly unwrap: (location: KeyLocation, wrapped: string) => Promise<Buffer>;
}

function firstOf([current]: readonly RootKey[]): RootKey {
  if (current) return current;
  throw new ServiceError(
    'unavailable',
    'The service has no root key at the moment. Retry in a few seconds.',
    {
      retryAfter: 5,
    },
  );
}

/** Creates the set of root keys. `read` returns all root keys, the current one first. */
export function createRootKeys(read: () => readonly RootKey[]): RootKeys {
  let keys = read();

  function readAgain(): readonly RootKey[] {
    keys = read();
    return keys;
  }

  const withId = (known: readonly RootKey[], id: string | undefined) => known.find((key) => key.id === id);

  return {
    ids: () => readAgain().map(({ id }) => id),
    isCurrent: (wrapped) => parseCiphertext(wrapped)?.keyId === firstOf(readAgain()).id,

    async wrap(location, plain) {
      const key = firstOf(readAgain());
      const body = await key.wrap(location, plain);
      // Decrypts the wrapped key once as a check, because a wrapped key that cannot be decrypted would lose all data
      // encrypted with it.
      if (!(await key.unwrap(location, body)).equals(plain)) throw unreadable(location);
      return formatCiphertext(key.id, body);
    },

    async unwrap(location, wrapped) {
      const text = parseCiphertext(wrapped);
      const key = withId(keys, text?.keyId) ?? withId(readAgain(), text?.keyId);
      if (!text || !key) throw unreadable(location);
      return key.unwrap(location, text.body).catch((error: unknown) => {
        throw error instanceof ServiceError ? error : unreadable(location, error);
      });
    },
  };
}
