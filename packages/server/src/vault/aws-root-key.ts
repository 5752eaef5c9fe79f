import { createHash } from 'node:crypto';
import type { KMSClient } from '@aws-sdk/client-kms';
import { ServiceError } from '../errors.js';
import { FORMAT, type KeyLocation } from './ciphertext.js';
import { KEY_SERVICE_TIMEOUT_MS, keyServiceDown, keyServiceRefuses, loadClient } from './key-service.js';
import type { RootKey } from './root-key.js';

const PACKAGE = '@aws-sdk/client-kms';
const ARN = /^arn:[a-z-]+:kms:([a-z0-9-]+):\d{12}:(?:key|alias)\/\S+$/;
const loadPackage = () => loadClient(PACKAGE, () => import('@aws-sdk/client-kms'));

/** AWS KMS errors for a ciphertext that AWS KMS did not encrypt, or that belongs to another row or column. */
const REFUSALS = ['InvalidCiphertextException', 'IncorrectKeyException'];

function regionOf(arn: string, from: string): string {
  const region = ARN.exec(arn)?.[1];
  if (region !== undefined) return region;
  throw new ServiceError(
    'invalid_request',
    `${from} does not name a key of AWS KMS. Write aws-kms:, followed by the ARN of a key or an alias.`,
  );
}

const contextOf = ({ applicationId, table, rowId, column }: KeyLocation): Record<string, string> => ({
  format: FORMAT,
  application: applicationId,
  table,
  row: rowId,
  column,
});

/** AWS KMS errors that last until an operator changes the key, its permissions or the credentials of the service. */
const LASTING = [
  'AccessDeniedException',
  'DisabledException',
  'ExpiredTokenException',
  'IncompleteSignature',
  'InvalidClientTokenId',
  'InvalidKeyUsageException',
  'InvalidSignatureException',
  'KMSInvalidStateException',
  'NotFoundException',
  'UnrecognizedClientException',
];

function explain(error: unknown): unknown {
  const name = error instanceof Error ? error.name : '';
  if (REFUSALS.includes(name)) return error;
  return LASTING.includes(name) ? keyServiceRefuses(error) : keyServiceDown(error);
}

function bytesOf(bytes: Uint8Array | undefined): Buffer {
  if (bytes) return Buffer.from(bytes);
  throw new Error(
    'The response of AWS KMS contains no encrypted or decrypted key. Retry later. If the error persists, contact AWS Support.',
  );
}

async function createClient(region: string): Promise<KMSClient> {
  const { KMSClient } = await loadPackage();
  const timeouts = { connectionTimeout: KEY_SERVICE_TIMEOUT_MS, requestTimeout: KEY_SERVICE_TIMEOUT_MS };
  return new KMSClient({ region, maxAttempts: 2, requestHandler: timeouts });
}

/**
 * Creates a root key that never leaves AWS KMS. Credentials and endpoint come from the usual settings of the AWS SDK.
 */
export async function createAwsRootKey(arn: string, from: string): Promise<RootKey> {
  const client = await createClient(regionOf(arn, from));
  const { EncryptCommand, DecryptCommand } = await loadPackage();
  return {
    id: `aws${createHash('sha256').update(arn).digest('hex').slice(0, 16)}`,
    async wrap(location, plain) {
      const command = new EncryptCommand({
        KeyId: arn,
        Plaintext: plain,
        EncryptionContext: contextOf(location),
      });
      const { CiphertextBlob } = await client.send(command).catch((error: unknown) => {
        throw explain(error);
      });
      return bytesOf(CiphertextBlob);
    },
    async unwrap(location, body) {
      const command = new DecryptCommand({
        KeyId: arn,
        CiphertextBlob: body,
        EncryptionContext: contextOf(location),
      });
      const { Plaintext } = await client.send(command).catch((error: unknown) => {
        throw explain(error);
      });
      return bytesOf(Plaintext);
    },
  };
}
