import { type Secret, secret } from '../secret.js';
import { decrypt, encrypt } from './cipher.js';
import {
  associatedData,
  formatCiphertext,
  parseCiphertext,
  type SecretLocation,
  unreadable,
} from './ciphertext.js';
import { createDataKeys, type DataKeysOptions } from './data-keys.js';

export type { SecretLocation } from './ciphertext.js';

/** Seals with a key that is cached already, so that it waits for nothing. */
export type Seal = (location: SecretLocation, plain: Secret) => string;

/** Encryptions of one prepared seal. It seals one row, which has fewer secrets. */
const SEALED_AT_ONCE = 16;

/** The only part that encrypts and decrypts secrets, with a data key for each application, which a root key wraps. */
export function createVault({ storage, rootKeys, commit, now, random }: DataKeysOptions) {
  const dataKeys = createDataKeys({ storage, rootKeys, commit, now, random });

  async function createSeal(applicationId: string, times: number): Promise<Seal> {
    const key = await dataKeys.newest(applicationId, times);
    return (location, plain) => {
      // A key of another application would open nothing here.
      if (location.applicationId !== applicationId) throw unreadable(location);
      const encryption = { key: key.bytes(), associated: associatedData(location, key.id) };
      return formatCiphertext(key.id, encrypt(encryption, Buffer.from(plain.reveal()), random));
    };
  }

  async function seal(location: SecretLocation, plain: Secret): Promise<string> {
    return (await createSeal(location.applicationId, 1))(location, plain);
  }

  async function open(location: SecretLocation, sealed: string): Promise<Secret> {
    const text = parseCiphertext(sealed);
    const key = text && (await dataKeys.find(location.applicationId, text.keyId));
    if (!key) throw unreadable(location);
    const encryption = { key: key.bytes(), associated: associatedData(location, key.id) };
    try {
      return secret(decrypt(encryption, text.body).toString());
    } catch (error) {
      throw unreadable(location, error);
    }
  }

  return {
    seal,
    open,
    /** Fetches the application's newest key, to seal one row without waiting for the database. */
    prepare: (applicationId: string): Promise<Seal> => createSeal(applicationId, SEALED_AT_ONCE),
    /** Makes a new data key for everything that is sealed from now on. Older ciphertexts still open. */
    rotate: dataKeys.rotate,
  };
}

export type Vault = ReturnType<typeof createVault>;
