import { secret } from '../secret.js';
import type { Seal, SecretLocation, Vault } from '../vault/vault.js';
import type { TokenColumns } from './tokens.js';

/** New tokens on their way into the database, sealed for their columns. */
export interface Renewal {
  readonly applicationId: string;
  /** Of the account. */
  readonly id: string;
  /** The version whose refresh token was used up for them. */
  readonly version: number;
  /** When the tokens of that version were issued. */
  readonly replaces: number | null;
  readonly columns: TokenColumns;
}

type Key = Pick<Renewal, 'applicationId' | 'id' | 'version'>;

export const renewalName = ({ id, version }: Key): string => `${id}.${version}`;

// The version is a part of what it is bound to: an old text put back says nothing about a newer version.
const placeOf = ({ applicationId, id, version }: Key): SecretLocation => ({
  applicationId,
  table: 'token_spool',
  rowId: id,
  column: `tokens of version ${version}`,
});

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

function readKey(text: string): Key & { readonly sealed: string } {
  const given: unknown = JSON.parse(text);
  if (isObject(given)) {
    const { applicationId, id, version, sealed } = given;
    const isText = typeof applicationId === 'string' && typeof id === 'string' && typeof sealed === 'string';
    if (isText && typeof version === 'number') return { applicationId, id, version, sealed };
  }
  throw new TypeError('The text is no renewal.');
}

/** A text that holds nothing but ciphertext and the ids of what it is for. */
export function sealRenewal(seal: Seal, { applicationId, id, version, replaces, columns }: Renewal): string {
  const key = { applicationId, id, version };
  const sealed = seal(placeOf(key), secret(JSON.stringify({ replaces, columns })));
  return JSON.stringify({ ...key, sealed });
}

/** Throws when the text was changed, or is another row's or version's. */
export async function openRenewal(vault: Vault, text: string): Promise<Renewal> {
  const { sealed, ...key } = readKey(text);
  const opened = await vault.open(placeOf(key), sealed);
  // Nobody but sealRenewal can have written what decrypts in this place.
  const content = JSON.parse(opened.reveal()) as Pick<Renewal, 'replaces' | 'columns'>;
  return { ...key, ...content };
}
