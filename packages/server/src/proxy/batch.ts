import type { IncomingHttpHeaders } from 'node:http';
import { decodeAscii } from '../upstream/canonical-path.js';

/**
 * Encoding of a batch request, which contains several HTTP requests in its body: as parts of a multipart body, or as
 * the member `requests` of a JSON body.
 */
export type BatchForm = 'parts' | 'json';

const MIXED = /^\s*multipart\/mixed\b/i;
const PARTS_PATH = /^\/batch(?:\/|$)/i;
const JSON_PATH = /\/\$batch\/?$/i;

/**
 * Returns the encoding of a batch request, or `undefined` for any other request. Decodes the path first, because
 * upstreams do.
 */
export function batchForm(headers: IncomingHttpHeaders, path: string): BatchForm | undefined {
  const type = headers['content-type'] ?? '';
  const plain = decodeAscii(path);
  // A path that begins with `/batch` also means multipart, because an upstream may parse the body as multipart whatever
  // the content type says.
  if (MIXED.test(type) || PARTS_PATH.test(plain)) return 'parts';
  return JSON_PATH.test(plain) ? 'json' : undefined;
}
