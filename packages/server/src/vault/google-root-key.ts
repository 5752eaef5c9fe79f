import { createHash } from 'node:crypto';
import type { KeyManagementServiceClient } from '@google-cloud/kms';
import { ServiceError } from '../errors.js';
import { KEY_SERVICE_TIMEOUT_MS, keyServiceDown, loadClient } from './key-service.js';
import { associatedData } from './place.js';
import type { RootKey } from './root-key.js';

const PACKAGE = '@google-cloud/kms';
const NAME = /^projects\/[^/\s]+\/locations\/[^/\s]+\/keyRings\/[^/\s]+\/cryptoKeys\/[^/\s]+$/;
/** gRPC's number for what the service answers when it did not encrypt this, or not for this place. */
const INVALID_ARGUMENT = 3;
// Without the client's own retries, which go on for a minute.
const CALL = { timeout: KEY_SERVICE_TIMEOUT_MS, retry: null };

/** The calls of Google's client that a root key needs. */
export type GoogleKms = Pick<KeyManagementServiceClient, 'encrypt' | 'decrypt'>;

function checkName(name: string, from: string): void {
  if (NAME.test(name)) return;
  throw new ServiceError(
    'invalid_request',
    `${from} names no key of Google Cloud KMS; give gcp-kms:projects/…/locations/…/keyRings/…/cryptoKeys/….`,
  );
}

const explain = (error: unknown): unknown =>
  error instanceof Error && 'code' in error && error.code === INVALID_ARGUMENT
    ? error
    : keyServiceDown(error);

function bytesOf(bytes: Uint8Array | string | null | undefined): Buffer {
  if (bytes) return typeof bytes === 'string' ? Buffer.from(bytes, 'base64') : Buffer.from(bytes);
  throw new Error('Google Cloud KMS answered without a text.');
}

async function createClient(): Promise<GoogleKms> {
  const { KeyManagementServiceClient } = await loadClient(PACKAGE, () => import('@google-cloud/kms'));
  return new KeyManagementServiceClient();
}

export interface GoogleRootKeyOptions {
  /** The setting that names the key. */
  readonly from: string;
  /** One with the application default credentials when absent. */
  readonly client?: GoogleKms;
}

/** A key that never leaves Google Cloud KMS. */
export async function createGoogleRootKey(name: string, options: GoogleRootKeyOptions): Promise<RootKey> {
  checkName(name, options.from);
  const client = options.client ?? (await createClient());
  const id = `gcp${createHash('sha256').update(name).digest('hex').slice(0, 16)}`;
  const boundTo = (place: Parameters<RootKey['wrap']>[0]) => ({
    name,
    additionalAuthenticatedData: associatedData(place, id),
  });
  return {
    id,
    async wrap(place, plaintext) {
      const [{ ciphertext }] = await client
        .encrypt({ ...boundTo(place), plaintext }, CALL)
        .catch((error: unknown) => {
          throw explain(error);
        });
      return bytesOf(ciphertext);
    },
    async unwrap(place, ciphertext) {
      const [{ plaintext }] = await client
        .decrypt({ ...boundTo(place), ciphertext }, CALL)
        .catch((error: unknown) => {
          throw explain(error);
        });
      return bytesOf(plaintext);
    },
  };
}
