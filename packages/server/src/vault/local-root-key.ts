import { createSecretKey, hkdfSync, randomBytes } from 'node:crypto';
import { ServiceError } from '../errors.js';
import { decrypt, encrypt } from './cipher.js';
import { associatedData } from './ciphertext.js';
import type { RootKey } from './root-key.js';

export const ROOT_KEY_BYTES = 32;

/** Form of a root key, as a sentence of an error message. */
export const FORM = 'A root key is 32 random bytes in base64 or hex.';
const FORM_AND_SOURCE = `${FORM} If the service already has data, use its original root key. Otherwise create one with \`openssl rand -base64 32\`.`;

/**
 * Parses a root key of 32 bytes in hex or base64. The error message contains `from`, the name of the setting, and
 * `advice`.
 */
export function parseRootKey(text: string, from: string, advice = FORM_AND_SOURCE): Buffer {
  const trimmed = text.trim();
  const isHex = /^[0-9a-f]{64}$/i.test(trimmed);
  const isBase64 = /^[A-Za-z0-9+/_-]{43}=?$/.test(trimmed);
  if (isHex || isBase64) return Buffer.from(trimmed, isHex ? 'hex' : 'base64');
  throw new ServiceError('invalid_request', `${from} is not a root key. ${advice}`);
}

/**
 * Creates a root key from 32 bytes in memory. The object has functions that use a key derived from these bytes, so that
 * printing the object does not reveal the key.
 */
export function createLocalRootKey(bytes: Buffer): RootKey {
  const derive = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', bytes, '', `svc ${purpose} 1`, ROOT_KEY_BYTES));
  const key = createSecretKey(derive('wrapping'));
  const id = derive('id').toString('hex').slice(0, 16);
  return {
    id,
    wrap: async (location, plain) =>
      encrypt({ key, associated: associatedData(location, id) }, plain, randomBytes),
    unwrap: async (location, body) => decrypt({ key, associated: associatedData(location, id) }, body),
  };
}
