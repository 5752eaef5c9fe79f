import type { IncomingHttpHeaders } from 'node:http';
import { decodeAscii } from '../upstream/canonical-path.js';

/** How requests stand inside of a request: in the parts of a multipart body, or in the `requests` of a JSON one. */
export type BatchForm = 'parts' | 'json';

const MIXED = /^\s*multipart\/mixed\b/i;
const PARTS_PATH = /^\/batch(?:\/|$)/i;
const JSON_PATH = /\/\$batch\/?$/i;

/** In which form the body of a request holds others; `undefined` where it holds none. An upstream reads escapes in its path, too. */
export function batchForm(headers: IncomingHttpHeaders, path: string): BatchForm | undefined {
  const type = headers['content-type'] ?? '';
  const plain = decodeAscii(path);
  // Where batches go an upstream may look for parts whatever the type says.
  if (MIXED.test(type) || PARTS_PATH.test(plain)) return 'parts';
  return JSON_PATH.test(plain) ? 'json' : undefined;
}
