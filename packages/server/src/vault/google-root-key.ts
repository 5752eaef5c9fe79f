import { createHash } from 'node:crypto';
import type { KeyManagementServiceClient } from '@google-cloud/kms';
import { ServiceError } from '../errors.js';
import { associatedData, type KeyLocation } from './ciphertext.js';
import { KEY_SERVICE_TIMEOUT_MS, keyServiceDown, keyServiceRefuses, loadClient } from './key-service.js';
import type { RootKey } from './root-key.js';

const PACKAGE = '@google-cloud/kms';
const NAME = /^projects\/[^/\s]+\/locations\/[^/\s]+\/keyRings\/[^/\s]+\/cryptoKeys\/[^/\s]+$/;
/**
 * gRPC status of Google Cloud KMS for a ciphertext that it did not encrypt, or that belongs to another row or column.
 */
const INVALID_ARGUMENT = 3;
/**
 * gRPC statuses that last until an operator acts: NOT_FOUND, PERMISSION_DENIED, FAILED_PRECONDITION (a disabled or
 * destroyed key) and UNAUTHENTICATED.
 */
const LASTING: readonly unknown[] = [5, 7, 9, 16];
// Call options without retries, because the retries of Google's client can take a minute.
const CALL = { timeout: KEY_SERVICE_TIMEOUT_MS, retry: null };

/** Methods of the Google Cloud KMS client that a root key needs. */
export type GoogleKms = Pick<KeyManagementServiceClient, 'encrypt' | 'decrypt'>;

function checkName(name: string, from: string): void {
  if (NAME.test(name)) return;
  throw new ServiceError(
    'invalid_request',
    `${from} does not name a key of Google Cloud KMS. Write gcp-kms:projects/…/locations/…/keyRings/…/cryptoKeys/….`,
  );
}

function explain(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === INVALID_ARGUMENT) return error;
  return LASTING.includes(code) ? keyServiceRefuses(error) : keyServiceDown(error);
}

function bytesOf(bytes: Uint8Array | string | null | undefined): Buffer {
  if (bytes) return typeof bytes === 'string' ? Buffer.from(bytes, 'base64') : Buffer.from(bytes);
  throw new Error(
    'The response of Google Cloud KMS contains no encrypted or decrypted key. Retry later. If the error persists, contact Google Cloud Support.',
  );
}

async function createClient(): Promise<GoogleKms> {
  const { KeyManagementServiceClient } = await loadClient(PACKAGE, () => import('@google-cloud/kms'));
  return new KeyManagementServiceClient();
}

export interface GoogleRootKeyOptions {
  /** Name of the setting that contains the key name, for error messages. */
  readonly from: string;
  /** Client for Google Cloud KMS. Default: a client with the application default credentials. */
  readonly client?: GoogleKms;
}

/** Creates a root key that never leaves Google Cloud KMS. */
export async function createGoogleRootKey(name: string, options: GoogleRootKeyOptions): Promise<RootKey> {
  checkName(name, options.from);
  const client = options.client ?? (await createClient());
  const id = `gcp${createHash('sha256').update(name).digest('hex').slice(0, 16)}`;
  const requestFor = (location: KeyLocation) => ({
    name,
    additionalAuthenticatedData: associatedData(location, id),
  });
  return {
    id,
    async wrap(location, plaintext) {
      const [{ ciphertext }] = await client
        .encrypt({ ...requestFor(location), plaintext }, CALL)
        .catch((error: unknown) => {
          throw explain(error);
        });
      return bytesOf(ciphertext);
    },
    async unwrap(location, ciphertext) {
      const [{ plaintext }] = await client
        .decrypt({ ...requestFor(location), ciphertext }, CALL)
        .catch((error: unknown) => {
          throw explain(error);
        });
      return bytesOf(plaintext);
    },
  };
}
