import { internalError, ServiceError } from '../errors.js';
import type { SealedColumnName } from '../storage/sealed-columns.js';

type Columns<Column> = Column extends {
  table: infer Table;
  column: infer Name extends string;
  holds: infer Holds;
}
  ? { readonly table: Table; readonly column: Holds extends 'named' ? `${Name}.${string}` : Name }
  : never;

interface Row {
  readonly applicationId: string;
  readonly rowId: string;
}

/** Location of new tokens in a spool file, which holds them while the database is unavailable. */
interface SpoolLocation {
  readonly table: 'token_spool';
  readonly column: string;
}

/** Table, row and column of a secret. The ciphertext is bound to this location and cannot be decrypted at any other. */
export type SecretLocation = Row & (Columns<SealedColumnName> | SpoolLocation);

/** Table, row and column of a key that a root key encrypts: a data key, or the pepper (the HMAC key of all digests). */
export type KeyLocation = Row &
  (
    | { readonly table: 'data_keys'; readonly column: 'wrapped_key' }
    | { readonly table: 'settings'; readonly column: 'value' }
  );

/** Version of the ciphertext format. Every ciphertext and its associated data contain the version. */
export const FORMAT = 'v1';

/**
 * Encodes the table, row and column of an encrypted value, and the id of its key, as associated data. The length
 * precedes each part, so that different locations never produce identical bytes.
 */
export function associatedData(
  { applicationId, table, rowId, column }: SecretLocation | KeyLocation,
  keyId: string,
): Buffer {
  const parts = [FORMAT, applicationId, table, rowId, column, keyId].map((part) => Buffer.from(part));
  return Buffer.concat(
    parts.flatMap((part) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(part.length);
      return [length, part];
    }),
  );
}

/**
 * Returns the prefix of all ciphertexts that the key with this id encrypted. Ciphertexts of other keys never begin with
 * it.
 */
export const ciphertextPrefix = (keyId: string): string => `${FORMAT}.${keyId}.`;

export const formatCiphertext = (keyId: string, body: Buffer): string =>
  `${ciphertextPrefix(keyId)}${body.toString('base64url')}`;

/**
 * Splits a ciphertext into the id of its key and the encrypted bytes. Returns `undefined` if the text is not a
 * ciphertext of this format.
 */
export function parseCiphertext(text: string): { readonly keyId: string; readonly body: Buffer } | undefined {
  const [format, keyId, body, ...rest] = text.split('.');
  if (format !== FORMAT || !keyId || body === undefined || rest.length > 0) return undefined;
  return { keyId, body: Buffer.from(body, 'base64url') };
}

const UNREADABLE = 'secret_unreadable';

/** Returns whether an error says that a value cannot be decrypted with any key of the service. */
export const isUnreadable = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.reason === UNREADABLE;

export function unreadable(
  { table, column, rowId }: SecretLocation | KeyLocation,
  cause?: unknown,
): ServiceError {
  return internalError(
    `The column ${column} of the row ${rowId} in the table ${table} cannot be decrypted. The row was changed outside the service, or the key that encrypted it was deleted. Restore the row and that key from a backup.`,
    { message: 'A stored secret cannot be decrypted.', reason: UNREADABLE, cause },
  );
}
