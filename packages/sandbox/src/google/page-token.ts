import { isObject, parseJson } from '../json.js';

/** Where a page begins, and for which question; `at` is the last change that there was when the first page was read. */
export function writePageToken(offset: number, fingerprint: string, at?: number): string {
  return writeOpaque({ offset, fingerprint, ...(at === undefined ? {} : { at }) });
}

/** Where the page begins; undefined when the token belongs to another question. */
export function readPageToken(token: string | undefined, fingerprint: string): number | undefined {
  if (token === undefined) return 0;
  const { offset, fingerprint: asked } = readOpaque(token);
  return typeof offset === 'number' && asked === fingerprint ? offset : undefined;
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
