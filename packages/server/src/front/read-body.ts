import type { IncomingMessage } from 'node:http';
import { JSON_BODY } from '../listener/body-limits.js';
import { tooLarge } from '../listener/error-reply.js';
import { cutShort } from './request-body.js';

export interface BodyBounds {
  readonly mostBytes: number;
  /** Name of the tool that the request calls, for the error message. Absent if unknown. */
  readonly toolName?: string | undefined;
  /** Reserves memory for a request body over 1 MiB. Throws if too little memory is free. */
  readonly take?: ((bytes: number) => void) | undefined;
}

/**
 * Creates a function that gets the number of body bytes so far. It reserves memory for them, and throws
 * `payload_too_large` beyond the limit.
 */
function createCount({ mostBytes, toolName, take }: BodyBounds): (bytes: number) => void {
  let taken = 0;
  return (bytes) => {
    if (bytes > mostBytes) throw tooLarge(mostBytes, toolName);
    if (bytes <= JSON_BODY || bytes <= taken) return;
    take?.(bytes - taken);
    taken = bytes;
  };
}

/**
 * Reads a request body completely. Throws `payload_too_large` if the body exceeds its limit, and `invalid_request` if
 * it ends early.
 */
export function readBody(request: IncomingMessage, bounds: BodyBounds): Promise<Buffer> {
  const count = createCount(bounds);
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] | undefined = [];
    let length = 0;
    // Reserves memory for the whole body before its first byte arrives. Otherwise many concurrent bodies could each
    // reserve a part, and none could be read completely.
    count(Number(request.headers['content-length'] ?? 0));
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      try {
        if (chunks) count(length);
        chunks?.push(chunk);
      } catch (error) {
        // Discards this chunk and all later ones. The request is still read to its end, so that the caller gets the
        // error response.
        chunks = undefined;
        reject(error);
      }
    });
    request.once(
      'end',
      () => chunks && resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)),
    );
    const refuse = () => reject(cutShort());
    request.once('error', refuse);
    // Does nothing if the request is complete, because 'close' also follows a normal end.
    request.once('close', () => request.complete || refuse());
    if (request.destroyed) refuse();
  });
}
