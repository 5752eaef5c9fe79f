import { ServiceError } from '../errors.js';
import { formatCiphertext, type KeyLocation, parseCiphertext, unreadable } from './ciphertext.js';
import type { RootKey } from './root-key.js';
import type { RootKeyFile } from './root-key-file.js';

/** The current root key, which wraps, and previous ones, which only unwrap. */
export interface RootKeys {
  /** Ids, the current one first. The keys are read again each time, because another process may have made a new one. */
  readonly ids: () => readonly string[];
  readonly isCurrent: (wrapped: string) => boolean;
  readonly wrap: (location: KeyLocation, plain: Buffer) => Promise<string>;
  /** File in which a rotation makes the new key; absent when the operator supplies the keys. */
  readonly keyFile?: RootKeyFile | undefined;
  /** Throws `unavailable` while the key service is unreachable, and `internal_error` when no key can open it. */
  readonly unwrap: (location: KeyLocation, wrapped: string) => Promise<Buffer>;
}

function firstOf([current]: readonly RootKey[]): RootKey {
  if (current) return current;
  throw new ServiceError('unavailable', 'There is no root key to encrypt with. Try again shortly.', {
    retryAfter: 5,
  });
}

/** `read` returns the current key first. */
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
      // A wrapped key that does not open loses everything that is encrypted with it.
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
