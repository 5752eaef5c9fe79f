import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Random } from '../random.js';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

export interface Encryption {
  readonly key: Buffer;
  /** Associated data. The ciphertext opens with the same bytes only. */
  readonly associated: Buffer;
}

/** Encrypts with AES-256-GCM: a random IV of 96 bits, the ciphertext, and a tag of 128 bits. */
export function encrypt({ key, associated }: Encryption, plain: Buffer, random: Random): Buffer {
  const iv = random(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(associated);
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Throws when a single bit of the body, the key or the associated data differs. */
export function decrypt({ key, associated }: Encryption, body: Buffer): Buffer {
  if (body.length < IV_BYTES + TAG_BYTES) throw new Error('The ciphertext is too short.');
  const decipher = createDecipheriv(CIPHER, key, body.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(associated);
  decipher.setAuthTag(body.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(body.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
}
