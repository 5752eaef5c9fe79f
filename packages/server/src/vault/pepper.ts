import { ServiceError } from '../errors.js';
import type { Storage } from '../storage/storage.js';
import type { Random } from '../text/random.js';
import type { KeyLocation } from './ciphertext.js';
import { hmac } from './hmac.js';
import type { RootKeys } from './root-keys.js';

/**
 * Computes an HMAC-SHA-256 with the pepper, a key that the database stores encrypted. `purpose` makes digests of one
 * value differ between uses.
 */
export type Digest = (purpose: string, value: string) => string;

export const PEPPER = 'pepper';
const PEPPER_BYTES = 32;

export const pepperLocation: KeyLocation = {
  applicationId: 'service',
  table: 'settings',
  rowId: PEPPER,
  column: 'value',
};

export function createDigest(pepper: Buffer): Digest {
  return function digest(purpose, value) {
    return hmac(pepper, `${purpose}\0${value}`);
  };
}

function explain(error: unknown): unknown {
  if (!(error instanceof ServiceError)) return error;
  if (error.code === 'unavailable') {
    const { cause, message } = error;
    const reason =
      cause instanceof Error ? ` Cause: ${cause.name}: ${cause.message.replace(/\.$/, '')}.` : '';
    return new ServiceError('invalid_request', message + reason, undefined, { cause: error });
  }
  return new ServiceError(
    'invalid_request',
    'The root key does not belong to this database. Set SVC_ROOT_KEY to the original key, or restore the original key file.',
    undefined,
    { cause: error },
  );
}

export interface PepperOptions {
  readonly storage: Pick<Storage, 'settings'>;
  readonly rootKeys: RootKeys;
  readonly random: Random;
}

/**
 * Decrypts the pepper of this database with the root key, which also verifies the root key at each start. The first
 * start creates the pepper; if several instances start at once, only one pepper is stored.
 */
export async function openPepper({ storage, rootKeys, random }: PepperOptions): Promise<Digest> {
  try {
    const wrapped =
      (await storage.settings.find(PEPPER)) ??
      (await storage.settings.insertIfAbsent(
        PEPPER,
        await rootKeys.wrap(pepperLocation, random(PEPPER_BYTES)),
      ));
    return createDigest(await rootKeys.unwrap(pepperLocation, wrapped));
  } catch (error) {
    throw explain(error);
  }
}
