import type { IncomingMessage } from 'node:http';
import { tooLarge } from '../error-reply.js';
import { cutShort } from './request-body.js';

/** Reads a body whole, as far as it may go. Throws payload_too_large, and invalid_request for one that was cut short. */
export function readBody(request: IncomingMessage, mostBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= mostBytes) chunks.push(chunk);
      else reject(tooLarge(mostBytes));
    });
    request.once('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    const refuse = () => reject(cutShort());
    request.once('error', refuse);
    // After the end, too: then an error would be made for nobody.
    request.once('close', () => request.complete || refuse());
    if (request.destroyed) refuse();
  });
}
