import type { IncomingHttpHeaders } from 'node:http';
import { decodeAscii } from '../upstream/canonical-path.js';

/**
 * Encoding of a batch request, whose body contains several HTTP requests. `parts`: they are the parts of a multipart
 * body. `json`: they are in the member `requests` of a JSON body.
 */
export type BatchForm = 'parts' | 'json';

const MIXED = /^\s*multipart\/mixed\b/i;
const PARTS_PATH = /^\/batch(?:\/|$)/i;
const JSON_PATH = /\/\$batch\/?$/i;

/**
 * Returns the encoding of a batch request, or `undefined` for any other request. Decodes the path before checking it,
 * because upstreams do so too.
 */
export function batchForm(headers: IncomingHttpHeaders, path: string): BatchForm | undefined {
  const type = headers['content-type'] ?? '';
  const plain = decodeAscii(path);
  // Treats each path that begins with `/batch` as multipart, because an upstream may parse the body as multipart
  // whatever its content type is.
  if (MIXED.test(type) || PARTS_PATH.test(plain)) return 'parts';
  return JSON_PATH.test(plain) ? 'json' : undefined;
}
