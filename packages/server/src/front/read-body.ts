import type { IncomingMessage } from 'node:http';
import { JSON_BODY } from '../listener/body-limits.js';
import { tooLarge } from '../listener/error-reply.js';
import { cutShort } from './request-body.js';

export interface BodyBounds {
  readonly mostBytes: number;
  /** The tool that the body calls, if it is known by now. */
  readonly toolName?: string | undefined;
  /** Told of the bytes of a body that is larger than others may be; throws where there is no room for them. */
  readonly take?: ((bytes: number) => void) | undefined;
}

/** Counts the bytes of a body; throws where they are too many. */
function createCount({ mostBytes, toolName, take }: BodyBounds): (bytes: number) => void {
  let taken = 0;
  return (bytes) => {
    if (bytes > mostBytes) throw tooLarge(mostBytes, toolName);
    if (bytes <= JSON_BODY || bytes <= taken) return;
    take?.(bytes - taken);
    taken = bytes;
  };
}

/** Reads a body whole, as far as it may go. Throws payload_too_large, and invalid_request for one that was cut short. */
export function readBody(request: IncomingMessage, bounds: BodyBounds): Promise<Buffer> {
  const count = createCount(bounds);
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] | undefined = [];
    let length = 0;
    // What is announced is counted at once: of many bodies at a time some find room for all of themselves.
    count(Number(request.headers['content-length'] ?? 0));
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      try {
        if (chunks) count(length);
        chunks?.push(chunk);
      } catch (error) {
        // The rest is read and dropped, so that the caller gets to hear it.
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
    // After the end, too: then an error would be made for nobody.
    request.once('close', () => request.complete || refuse());
    if (request.destroyed) refuse();
  });
}
