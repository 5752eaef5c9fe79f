import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';
import type { Random } from '../text/random.js';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

export interface Encryption {
  readonly key: KeyObject;
  /** Additional authenticated data. Decryption fails unless it uses exactly these bytes. */
  readonly associated: Buffer;
}

/**
 * Encrypts with AES-256-GCM. The result is a random IV of 96 bits, the ciphertext, and an authentication tag of 128
 * bits.
 */
export function encrypt({ key, associated }: Encryption, plain: Buffer, random: Random): Buffer {
  const iv = random(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(associated);
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/**
 * Decrypts the result of `encrypt`, given as `body`. Throws if `body`, the key or the associated data differ in a
 * single bit.
 */
export function decrypt({ key, associated }: Encryption, body: Buffer): Buffer {
  if (body.length < IV_BYTES + TAG_BYTES)
    throw new Error(
      'An encrypted value in the database is too short, so it was changed outside the service. Restore its row from a backup.',
    );
  const decipher = createDecipheriv(CIPHER, key, body.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(associated);
  decipher.setAuthTag(body.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(body.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
}
