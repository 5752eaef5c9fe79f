import { ServiceError } from '../errors.js';
import { type KeyPlace, readText, toText, unreadable } from './place.js';
import type { RootKey } from './root-key.js';
import type { RootKeyFile } from './root-key-file.js';

/** The root key that wraps, and those that are still needed to unwrap. */
export interface RootKeys {
  /** The first one wraps. Read again each time: another process may have made a new one. */
  readonly ids: () => readonly string[];
  readonly isCurrent: (wrapped: string) => boolean;
  readonly wrap: (place: KeyPlace, plain: Buffer) => Promise<string>;
  /** The file in which a rotation makes the new key; absent where the operator brings the keys. */
  readonly keyFile?: RootKeyFile | undefined;
  /** Throws unavailable while the key service is down, and internal_error where nothing can open it. */
  readonly unwrap: (place: KeyPlace, wrapped: string) => Promise<Buffer>;
}

function firstOf([current]: readonly RootKey[]): RootKey {
  if (current) return current;
  throw new ServiceError('unavailable', 'There is no root key to encrypt with. Try again shortly.', {
    retryAfter: 5,
  });
}

/** `read` gives the current key first. */
export function createRootKeys(read: () => readonly RootKey[]): RootKeys {
  let held = read();
  const refresh = () => {
    held = read();
    return held;
  };
  const withId = (keys: readonly RootKey[], id: string | undefined) => keys.find((key) => key.id === id);

  return {
    ids: () => refresh().map(({ id }) => id),
    isCurrent: (wrapped) => readText(wrapped)?.keyId === firstOf(refresh()).id,

    async wrap(place, plain) {
      const key = firstOf(refresh());
      const body = await key.wrap(place, plain);
      // A wrapped key that does not open loses everything that is encrypted with it.
      if (!(await key.unwrap(place, body)).equals(plain)) throw unreadable(place);
      return toText(key.id, body);
    },

    async unwrap(place, wrapped) {
      const text = readText(wrapped);
      const key = withId(held, text?.keyId) ?? withId(refresh(), text?.keyId);
      if (!text || !key) throw unreadable(place);
      return key.unwrap(place, text.body).catch((error: unknown) => {
        throw error instanceof ServiceError ? error : unreadable(place, error);
      });
    },
  };
}
