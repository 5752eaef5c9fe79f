import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { ServiceError } from '../errors.js';
import type { HttpResponse } from '../upstream/forward.js';

export const ACCEPTED_ENCODINGS = 'gzip, deflate, br';
const MAX_DECODED = 10 * 1024 * 1024;

const DECODERS = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

const tooLarge = (status: number): ServiceError =>
  new ServiceError('upstream_failed', 'The answer is larger than 10 MiB. Ask for less, or use the proxy.', {
    status,
  });

function decode({ headers, body }: HttpResponse): Readable {
  const createDecoder = DECODERS.get(String(headers['content-encoding'] ?? '').toLowerCase());
  // Whoever reads the decoder hears of every error, so that the pipeline's own report adds nothing.
  const source = body.stream();
  return createDecoder ? pipeline(source, createDecoder(), () => undefined) : source;
}

async function readAll(response: HttpResponse): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of decode(response)) {
    length += chunk.length;
    if (length > MAX_DECODED) throw tooLarge(response.status);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

async function readText(response: HttpResponse): Promise<string> {
  try {
    return (await readAll(response)).toString('utf8');
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw new ServiceError(
      'upstream_failed',
      'The answer cannot be decoded as its Content-Encoding says.',
      { status: response.status },
      { cause: error },
    );
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const isEmpty = (method: string, status: number): boolean =>
  method === 'HEAD' || status === 204 || status === 304;

/** The decoded body, at most 10 MiB: parsed JSON, `null` when empty, else the text as it is. */
export async function readJson(response: HttpResponse, method: string): Promise<unknown> {
  if (isEmpty(method, response.status)) {
    response.body.discard();
    return null;
  }
  const text = await readText(response);
  return text === '' ? null : parse(text);
}
