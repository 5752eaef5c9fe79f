import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { MemoryShare } from '../concurrency/body-memory.js';
import { ServiceError } from '../errors.js';
import { tooLarge } from '../listener/error-reply.js';
import type { OpenedBody } from '../upstream/forward.js';

export interface BodyLimits {
  readonly maxBytes: number;
  /**
   * Maximum `content-length` in bytes of a body that is buffered before it is sent to the upstream. Larger bodies, and
   * bodies without this header, are streamed. Default: 1 MiB.
   */
  readonly holdBytes?: number;
  /**
   * Memory budget for buffered request bodies. When too little is free, a small body is streamed, and the request
   * cannot be retried.
   */
  readonly holding: Pick<MemoryShare, 'tryTake'>;
}

const HOLD_BYTES = 1024 * 1024;

export const cutShort = (): ServiceError =>
  new ServiceError('invalid_request', 'The request ended before its body was complete. Send it again.');

// Copies the request body into a new stream. `pipeline`, or passing the request itself on, would destroy the caller's
// socket when the upstream fails. The caller would then get no error response.
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
  // Adds an empty listener, because a caller that disconnects early would otherwise end the process. The reader of the
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

/** Opens the body of a request. Buffers a small body and streams any other. Throws `payload_too_large`. */
export async function openRequestBody(
  source: IncomingMessage,
  { maxBytes, holdBytes = HOLD_BYTES, holding }: BodyLimits,
): Promise<OpenedBody> {
  const length = source.headers['content-length'];
  const contentLength = length === undefined ? undefined : Number(length);
  if (contentLength !== undefined && contentLength > maxBytes) throw tooLarge(maxBytes);
  // Throws here, because the caller has already disconnected and the request emits no further event.
  if (source.destroyed) throw cutShort();
  const stream = readFrom(source, maxBytes);
  const isBuffered =
    contentLength !== undefined && contentLength <= holdBytes && holding.tryTake(contentLength);
  return { body: isBuffered ? await readWhole(stream) : stream, contentLength };
}
