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

/**
 * Encrypts a secret with a data key that is already in memory, so that the call does not wait for the database.
 * `location`: table, row and column of the secret.
 */
export type Seal = (location: SecretLocation, plain: Secret) => string;

/**
 * Number of encryptions that `prepare` reserves for the `Seal` function that it returns. The function encrypts the
 * secrets of one row, which has fewer secrets.
 */
const SEALED_AT_ONCE = 16;

/**
 * Creates the vault, the only component that encrypts and decrypts secrets. Each application has its own data keys,
 * which root keys encrypt.
 */
export function createVault({ storage, rootKeys, commit, now, random }: DataKeysOptions) {
  const dataKeys = createDataKeys({ storage, rootKeys, commit, now, random });

  async function createSeal(applicationId: string, times: number): Promise<Seal> {
    const { id, key } = await dataKeys.newest(applicationId, times);
    return (location, plain) => {
      // Throws for a secret of another application. This data key belongs to `applicationId`, so the other application
      // could never decrypt the secret.
      if (location.applicationId !== applicationId) throw unreadable(location);
      const encryption = { key, associated: associatedData(location, id) };
      return formatCiphertext(id, encrypt(encryption, Buffer.from(plain.reveal()), random));
    };
  }

  async function seal(location: SecretLocation, plain: Secret): Promise<string> {
    return (await createSeal(location.applicationId, 1))(location, plain);
  }

  async function open(location: SecretLocation, sealed: string): Promise<Secret> {
    const text = parseCiphertext(sealed);
    const found = text && (await dataKeys.find(location.applicationId, text.keyId));
    if (!found) throw unreadable(location);
    const encryption = { key: found.key, associated: associatedData(location, found.id) };
    try {
      return secret(decrypt(encryption, text.body).toString());
    } catch (error) {
      throw unreadable(location, error);
    }
  }

  return {
    seal,
    open,
    /**
     * Loads the newest data key of the application, so that the secrets of one row can be encrypted without waiting for
     * the database.
     */
    prepare: (applicationId: string): Promise<Seal> => createSeal(applicationId, SEALED_AT_ONCE),
    /** Creates a new data key, which encrypts all secrets from now on. Older ciphertexts can still be decrypted. */
    rotate: dataKeys.rotate,
  };
}

export type Vault = ReturnType<typeof createVault>;
