import { ServiceError } from '../errors.js';
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

/** New tokens in a file that waits for the database. A file waits shorter than an unused key is kept. */
interface SpoolLocation {
  readonly table: 'token_spool';
  readonly column: string;
}

/** Table, row and column of a secret. Its ciphertext cannot be decrypted anywhere else. */
export type SecretLocation = Row & (Columns<SealedColumnName> | SpoolLocation);

/** Table, row and column of a key that a root key encrypts. */
export type KeyLocation = Row &
  (
    | { readonly table: 'data_keys'; readonly column: 'wrapped_key' }
    | { readonly table: 'settings'; readonly column: 'value' }
  );

/** Version of the format. It is part of every ciphertext and of its associated data. */
export const FORMAT = 'v1';

/** Associated data of a ciphertext. Each part follows its length, so that no two locations have the same bytes. */
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

/** Beginning of every ciphertext of this key, and of no other. */
export const ciphertextPrefix = (keyId: string): string => `${FORMAT}.${keyId}.`;

export const formatCiphertext = (keyId: string, body: Buffer): string =>
  `${ciphertextPrefix(keyId)}${body.toString('base64url')}`;

/** Returns the key id and the bytes of a ciphertext; `undefined` for any other text. */
export function parseCiphertext(text: string): { readonly keyId: string; readonly body: Buffer } | undefined {
  const [format, keyId, body, ...rest] = text.split('.');
  if (format !== FORMAT || !keyId || body === undefined || rest.length > 0) return undefined;
  return { keyId, body: Buffer.from(body, 'base64url') };
}

export function unreadable(
  { table, column, rowId }: SecretLocation | KeyLocation,
  cause?: unknown,
): ServiceError {
  return new ServiceError(
    'internal_error',
    `${column} of ${rowId} in ${table} cannot be decrypted: the row was changed outside the service, or its key was deleted.`,
    undefined,
    { cause },
  );
}
