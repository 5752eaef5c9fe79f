import { brotliDecompressSync, gunzipSync, inflateSync, type ZlibOptions } from 'node:zlib';
import { parseJson } from '@svc/catalog';
import type { Edit } from '../http/edit.js';
import type { HttpResponse } from '../http/send-http.js';

// Maximum size in bytes of an error response that is copied, in order to find the error code and message in it.
const MAX_BYTES = 16 * 1024;
const MAX_DECODED_BYTES = 64 * 1024;

const JSON_TYPE = /^[\w.+-]+\/(?:[\w.+-]+\+)?json *(?:;|$)/i;

type Decode = (bytes: Buffer, options: ZlibOptions) => Buffer;

const DECODERS: Readonly<Record<string, Decode>> = {
  identity: (bytes) => bytes,
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: (bytes) => brotliDecompressSync(bytes, { maxOutputLength: MAX_DECODED_BYTES }),
};

interface Kept {
  /**
   * Edit of the response body while it is streamed to the caller. For an error response, it also copies the body, so
   * that the execution can record the upstream's reason.
   */
  readonly edit: Edit | undefined;
  /**
   * Returns the parsed JSON body of the upstream's error response. Returns `undefined` for a successful response, and
   * for a body that is too long or not valid JSON.
   */
  readonly refusal: () => unknown;
}

const NONE: Buffer = Buffer.alloc(0);
const UNCHANGED: Edit = { take: (chunk) => chunk, rest: () => NONE };

/** Copies the body of an error response while it is streamed to the caller. Does not copy other responses. */
export function keepRefusal({ status, headers }: HttpResponse, edit: Edit | undefined): Kept {
  const decode = DECODERS[String(headers['content-encoding'] ?? 'identity').toLowerCase()];
  if (status < 400 || !decode || !JSON_TYPE.test(String(headers['content-type'] ?? '')))
    return { edit, refusal: () => undefined };
  const { take, rest } = edit ?? UNCHANGED;
  const chunks: Buffer[] = [];
  let length = 0;

  function keep(chunk: Buffer): Buffer {
    length += chunk.length;
    // Copies the bytes of the chunk, because an edit may overwrite them.
    if (length <= MAX_BYTES) chunks.push(Buffer.from(chunk));
    return take(chunk);
  }

  const refusal = (): unknown => {
    if (length > MAX_BYTES) return undefined;
    try {
      return parseJson(decode(Buffer.concat(chunks), { maxOutputLength: MAX_DECODED_BYTES }).toString());
    } catch {
      return undefined;
    }
  };

  return { edit: { take: keep, rest }, refusal };
}
