import { createHash } from 'node:crypto';
import { isObject } from '../../json.js';
import type { Fields } from './world.js';

export function withEtag({ kind, ...rest }: Fields): Fields {
  const etag = createHash('sha256').update(inOrder(rest)).digest('base64url').slice(0, 27);
  return { kind, etag, ...rest };
}

// The tag depends on what is said, not on the order in which it was written.
function inOrder(fields: Fields): string {
  return JSON.stringify(fields, (_name, value) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value,
  );
}
