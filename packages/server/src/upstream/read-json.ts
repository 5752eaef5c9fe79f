import { pipeline } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { parseJson } from '@svc/catalog';
import { ServiceError } from '../errors.js';
import type { HttpResponse } from '../http/send-http.js';
import { isTooDeep, MAX_JSON_DEPTH } from '../text/json-depth.js';

/** Reserves memory for the bytes of an upstream's response. */
interface Holding {
  readonly take: (bytes: number) => void;
}

export const ACCEPTED_ENCODINGS = 'gzip, deflate, br';
const MAX_DECODED_BYTES = 10 * 1024 * 1024;

const DECODERS = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

// Size in bytes up to which a decoded body is not checked for a decompression bomb. A larger body is refused if its
// compressed size is below a hundredth. Usual responses shrink only to about a tenth.
const FREE_DECODED = 1024 * 1024;
const MAX_DECODED_PER_BYTE = 100;

/** Advice for a request that may have changed data, although the service cannot read the response. */
const adviceFor = (method: string): string =>
  method === 'GET' || method === 'HEAD'
    ? ''
    : ' If the request changes data, first check at the upstream whether it took effect.';

interface Received {
  readonly method: string;
  readonly status: number;
}

const refused = ({ method, status }: Received, problem: string): ServiceError =>
  new ServiceError(
    'upstream_failed',
    `The response of the upstream ${problem}. Request less data, or send the request through the proxy.${adviceFor(method)}`,
    { status },
  );

type Take = (chunk: Buffer, received: number) => void;

/** Decodes a response body. Passes each decoded chunk to `take`, with the number of compressed bytes read so far. */
async function decode({ headers, body }: HttpResponse, take: Take): Promise<void> {
  const createDecoder = DECODERS.get(String(headers['content-encoding'] ?? '').toLowerCase());
  if (!createDecoder) return body.drain((chunk) => take(chunk, Number.POSITIVE_INFINITY));
  const decoder = createDecoder();
  // The callback ignores errors, because the loop below throws each error of the pipeline.
  const decoded = pipeline(body.stream(), decoder, () => undefined);
  for await (const chunk of decoded) take(chunk, decoder.bytesWritten);
}

async function readAll(response: HttpResponse, method: string, holding: Holding): Promise<Buffer> {
  const received = { method, status: response.status };
  const chunks: Buffer[] = [];
  let length = 0;
  await decode(response, (chunk, compressed) => {
    length += chunk.length;
    if (length > MAX_DECODED_BYTES) throw refused(received, 'is larger than the maximum of 10 MiB');
    if (length > FREE_DECODED && length > MAX_DECODED_PER_BYTE * compressed) {
      throw refused(
        received,
        `is larger than 1 MiB and more than ${MAX_DECODED_PER_BYTE} times as large as its compressed form, so the service refuses the response`,
      );
    }
    holding.take(chunk.length);
    chunks.push(chunk);
  });
  return Buffer.concat(chunks, length);
}

async function readBytes(response: HttpResponse, method: string, holding: Holding): Promise<Buffer> {
  try {
    return await readAll(response, method, holding);
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw new ServiceError(
      'upstream_failed',
      `The response of the upstream does not match its Content-Encoding. Retry later, or send the request through the proxy.${adviceFor(method)}`,
      { status: response.status },
      { cause: error },
    );
  }
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

const isEmpty = (method: string, status: number): boolean =>
  method === 'HEAD' || status === 204 || status === 304;

/** Reads a response body as UTF-8 text. Throws if the decoded body is larger than 10 MiB. */
export async function readText(response: HttpResponse, method: string, holding: Holding): Promise<string> {
  if (!isEmpty(method, response.status)) return (await readBytes(response, method, holding)).toString('utf8');
  response.body.discard();
  return '';
}

/**
 * Reads a response body as JSON with at most 10 MiB and 200 levels of nesting. Returns `null` for an empty body, and
 * the text of a body that is not JSON.
 */
export async function readJson(response: HttpResponse, method: string, holding: Holding): Promise<unknown> {
  if (isEmpty(method, response.status)) {
    response.body.discard();
    return null;
  }
  const bytes = await readBytes(response, method, holding);
  if (isTooDeep(bytes))
    throw refused(
      { method, status: response.status },
      `is nested deeper than the maximum of ${MAX_JSON_DEPTH} levels`,
    );
  return bytes.length === 0 ? null : parse(bytes.toString('utf8'));
}
