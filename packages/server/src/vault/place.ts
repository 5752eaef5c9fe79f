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

/** New tokens that wait in a file for the database. They wait shorter than a key is kept that nothing uses. */
interface SpoolPlace {
  readonly table: 'token_spool';
  readonly column: string;
}

/** Where a secret is stored. It cannot be decrypted anywhere else. */
export type Place = Row & (Columns<SealedColumnName> | SpoolPlace);

/** Where a key is stored that is encrypted by a root key. */
export type KeyPlace = Row &
  (
    | { readonly table: 'data_keys'; readonly column: 'wrapped_key' }
    | { readonly table: 'settings'; readonly column: 'value' }
  );

/** Stands in every ciphertext and in what it is bound to. */
export const FORMAT = 'v1';

/** Each part is preceded by its length: no two places give the same bytes. */
export function associatedData(
  { applicationId, table, rowId, column }: Place | KeyPlace,
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

export const toText = (keyId: string, body: Buffer): string =>
  `${FORMAT}.${keyId}.${body.toString('base64url')}`;

/** The key that a ciphertext names, and its bytes; `undefined` when it is none of ours. */
export function readText(text: string): { readonly keyId: string; readonly body: Buffer } | undefined {
  const [format, keyId, body, ...rest] = text.split('.');
  if (format !== FORMAT || !keyId || body === undefined || rest.length > 0) return undefined;
  return { keyId, body: Buffer.from(body, 'base64url') };
}

export function unreadable({ table, column, rowId }: Place | KeyPlace, cause?: unknown): ServiceError {
  return new ServiceError(
    'internal_error',
    `${column} of ${rowId} in ${table} cannot be decrypted: the row was changed outside the service, or its key is gone.`,
    undefined,
    { cause },
  );
}

/** What stands in every ciphertext of this key, and in no other. */
export const markOf = (keyId: string): string => `${FORMAT}.${keyId}.`;
