import { type Secret, secret } from '../secret.js';
import { decrypt, encrypt } from './cipher.js';
import { createDataKeys, type DataKeysParts } from './data-keys.js';
import { associatedData, type Place, readText, toText, unreadable } from './place.js';

export type { Place } from './place.js';

export interface Vault {
  seal(place: Place, plain: Secret): Promise<string>;
  open(place: Place, sealed: string): Promise<Secret>;
  /** Holds the application's newest key: what is sealed by it waits for nothing any more, and not for the database. */
  prepare(applicationId: string): Promise<Seal>;
  /** A new data key: everything is sealed with it from now on, and what the older ones sealed can still be opened. */
  rotate(applicationId: string): Promise<{ readonly id: string; readonly generation: number }>;
}

export type Seal = (place: Place, plain: Secret) => string;

/** What is prepared seals one row, which has fewer secrets than this. */
const SEALED_AT_ONCE = 16;

/** The only part that encrypts and decrypts secrets: with a data key for each application, wrapped by the root key. */
export function createVault(parts: DataKeysParts): Vault {
  const dataKeys = createDataKeys(parts);

  async function holdKey(applicationId: string, times: number): Promise<Seal> {
    const key = await dataKeys.newest(applicationId, times);
    return (place, plain) => {
      // A key of another application would open nothing here.
      if (place.applicationId !== applicationId) throw unreadable(place);
      const encryption = { key: key.bytes(), associated: associatedData(place, key.id) };
      return toText(key.id, encrypt(encryption, Buffer.from(plain.reveal()), parts.random));
    };
  }

  return {
    prepare: (applicationId) => holdKey(applicationId, SEALED_AT_ONCE),
    rotate: dataKeys.rotate,
    seal: async (place, plain) => (await holdKey(place.applicationId, 1))(place, plain),
    open: async (place, sealed) => {
      const text = readText(sealed);
      const key = text && (await dataKeys.find(place.applicationId, text.keyId));
      if (!key) throw unreadable(place);
      const encryption = { key: key.bytes(), associated: associatedData(place, key.id) };
      try {
        return secret(decrypt(encryption, text.body).toString());
      } catch (error) {
        throw unreadable(place, error);
      }
    },
  };
}
