import { isObject, parseJson } from '../json.js';

/**
 * Encodes a page token: the offset of the page and a hash of the query. `at` is the number of the last change when the
 * first page was read.
 */
export function writePageToken(offset: number, fingerprint: string, at?: number): string {
  return writeOpaque({ offset, fingerprint, ...(at === undefined ? {} : { at }) });
}

/** Decodes the offset from a page token. Returns `undefined` if the token belongs to another query. */
export function readPageToken(token: string | undefined, fingerprint: string): number | undefined {
  if (token === undefined) return 0;
  const { offset, fingerprint: tokenFingerprint } = readOpaque(token);
  return typeof offset === 'number' && tokenFingerprint === fingerprint ? offset : undefined;
}

export function readPageChange(token: string | undefined): number | undefined {
  const { at } = readOpaque(token ?? '');
  return typeof at === 'number' ? at : undefined;
}

export function writeOpaque(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

export function readOpaque(token: string): Record<string, unknown> {
  const value = parseJson(Buffer.from(token, 'base64url').toString('utf8'));
  return isObject(value) ? value : {};
}
