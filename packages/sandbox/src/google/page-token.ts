import { readOpaque, writeOpaque } from './opaque.js';

/** Where a page begins, and for which question. */
export function writePageToken(offset: number, fingerprint: string): string {
  return writeOpaque({ offset, fingerprint });
}

/** Where the page begins; undefined when the token belongs to another question. */
export function readPageToken(token: string | undefined, fingerprint: string): number | undefined {
  if (token === undefined) return 0;
  const { offset, fingerprint: asked } = readOpaque(token);
  return typeof offset === 'number' && asked === fingerprint ? offset : undefined;
}
