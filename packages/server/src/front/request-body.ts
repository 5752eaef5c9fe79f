import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { MemoryShare } from '../concurrency/body-memory.js';
import { ServiceError } from '../errors.js';
import { tooLarge } from '../listener/error-reply.js';
import type { OpenedBody } from '../upstream/forward.js';

export interface BodyLimits {
  readonly maxBytes: number;
  /**
   * Maximum size in bytes, according to `content-length`, of a body that the service buffers before it sends the body
   * upstream. Larger bodies, and bodies without this header, are streamed. Default: 1 MiB.
   */
  readonly holdBytes?: number;
  /**
   * Memory for buffered request bodies. If too little is free, the service streams a small body too, and cannot retry
   * the request.
   */
  readonly holding: Pick<MemoryShare, 'tryTake'>;
}

const HOLD_BYTES = 1024 * 1024;

export const cutShort = (): ServiceError =>
  new ServiceError('invalid_request', 'The request ended before its body was complete. Send it again.');

// Copies the request body into a new stream. With `pipeline`, or with the request itself as body, a failing upstream
// would destroy the caller's socket, and the caller would get no error response.
function readFrom(source: IncomingMessage, maxBytes: number): Readable {
  let received = 0;
  const body = new Readable({
    read: () => source.resume(),
    destroy: (error, callback) => {
      source.off('data', onData);
      source.resume();
      callback(error);
    },
  });
  const onData = (chunk: Buffer) => {
    received += chunk.length;
    if (received > maxBytes) body.destroy(tooLarge(maxBytes));
    else if (!body.push(chunk)) source.pause();
  };
  source.on('data', onData);
  source.once('end', () => body.push(null));
  source.once('error', () => body.destroy(cutShort()));
  source.once('close', () => {
    if (!source.complete) body.destroy(cutShort());
  });
  // Adds an empty listener, because otherwise a caller that disconnects early would end the process. The reader of the
  // stream gets the error too.
  body.on('error', () => undefined);
  return body;
}

function readWhole(source: Readable): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    source.on('data', (chunk: Buffer) => chunks.push(chunk));
    source.once('end', () => resolve(Buffer.concat(chunks)));
    source.once('error', reject);
  });
}

export const hasBody = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Opens the body of a request: buffers a small body, and streams any other. Throws `payload_too_large` if the body
 * exceeds its limit.
 */
export async function openRequestBody(
  source: IncomingMessage,
  { maxBytes, holdBytes = HOLD_BYTES, holding }: BodyLimits,
): Promise<OpenedBody> {
  const length = source.headers['content-length'];
  const contentLength = length === undefined ? undefined : Number(length);
  if (contentLength !== undefined && contentLength > maxBytes) throw tooLarge(maxBytes);
  // Throws immediately if the caller has already disconnected, because the request emits no further event.
  if (source.destroyed) throw cutShort();
  const stream = readFrom(source, maxBytes);
  const isBuffered =
    contentLength !== undefined && contentLength <= holdBytes && holding.tryTake(contentLength);
  return { body: isBuffered ? await readWhole(stream) : stream, contentLength };
}
