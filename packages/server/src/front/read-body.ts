import type { IncomingMessage } from 'node:http';
import { JSON_BODY } from '../listener/body-limits.js';
import { tooLarge } from '../listener/error-reply.js';
import { cutShort } from './request-body.js';

export interface BodyBounds {
  readonly mostBytes: number;
  /** The tool that the body calls, if it is known. */
  readonly toolName?: string | undefined;
  /** Called with the bytes of a body over 1 MiB. Throws when there is too little memory for them. */
  readonly take?: ((bytes: number) => void) | undefined;
}

/** Counts the bytes of a body. Throws payload_too_large. */
function createCount({ mostBytes, toolName, take }: BodyBounds): (bytes: number) => void {
  let taken = 0;
  return (bytes) => {
    if (bytes > mostBytes) throw tooLarge(mostBytes, toolName);
    if (bytes <= JSON_BODY || bytes <= taken) return;
    take?.(bytes - taken);
    taken = bytes;
  };
}

/** Reads a whole body within bounds. Throws payload_too_large, and invalid_request for a body that was cut short. */
export function readBody(request: IncomingMessage, bounds: BodyBounds): Promise<Buffer> {
  const count = createCount(bounds);
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] | undefined = [];
    let length = 0;
    // Reserves the announced length first. Otherwise many simultaneous bodies could each get a part of the memory, and none could be read.
    count(Number(request.headers['content-length'] ?? 0));
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      try {
        if (chunks) count(length);
        chunks?.push(chunk);
      } catch (error) {
        // The rest is read and dropped, so that the caller can read the response.
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
    // 'close' follows the end as well, and then there is no error to report.
    request.once('close', () => request.complete || refuse());
    if (request.destroyed) refuse();
  });
}
