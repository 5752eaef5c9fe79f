import type { IncomingHttpHeaders } from 'node:http';
import { decodeAscii } from '../upstream/canonical-path.js';

/** The position of requests in a batch: in the parts of a multipart body, or in `requests` of a JSON body. */
export type BatchForm = 'parts' | 'json';

const MIXED = /^\s*multipart\/mixed\b/i;
const PARTS_PATH = /^\/batch(?:\/|$)/i;
const JSON_PATH = /\/\$batch\/?$/i;

/** The form of a batch request; `undefined` for any other request. Decodes the path, as upstreams do. */
export function batchForm(headers: IncomingHttpHeaders, path: string): BatchForm | undefined {
  const type = headers['content-type'] ?? '';
  const plain = decodeAscii(path);
  // An upstream may look for parts at the path of batches, whatever the content type is.
  if (MIXED.test(type) || PARTS_PATH.test(plain)) return 'parts';
  return JSON_PATH.test(plain) ? 'json' : undefined;
}
