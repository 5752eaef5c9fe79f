import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { ServiceError } from '../errors.js';
import type { OpenedBody } from '../upstream/forward.js';

/** How one JSON-RPC message begins, in whatever encoding a server reads it: a list of them begins otherwise in each. */
const MESSAGE = /^(?:\xef\xbb\xbf)?[\t\n\r ]{0,256}\{/;
const LONGEST_BEGINNING = 260;

/** What comes first of a stream, and stays in it; `undefined` of an empty one. */
function peek(stream: Readable): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const settle = (first: Buffer | undefined): void => {
      stream.off('readable', look).off('end', onEnd).off('error', reject);
      resolve(first);
    };
    const onEnd = (): void => settle(undefined);
    const look = (): void => {
      const first: Buffer | null = stream.read();
      if (first === null) return;
      stream.unshift(first);
      settle(first);
    };
    stream.on('readable', look).on('end', onEnd).on('error', reject);
  });
}

/**
 * A body that goes to an MCP server when calls are counted: refused, before anything is sent, where it could be a batch of
 * them, as the revision 2025-03-26 has it.
 */
export async function oneMessage(opened: OpenedBody, headers: IncomingHttpHeaders): Promise<OpenedBody> {
  const { body } = opened;
  if (body === undefined) return opened;
  const first = Buffer.isBuffer(body) ? body : await peek(body);
  if (first === undefined) return { body: Buffer.alloc(0) };
  const isPlain = (headers['content-encoding'] ?? 'identity').toLowerCase() === 'identity';
  if (isPlain && MESSAGE.test(first.toString('latin1', 0, LONGEST_BEGINNING))) return opened;
  if (!Buffer.isBuffer(body)) body.destroy();
  throw new ServiceError(
    'not_permitted',
    'The token counts calls, so that it sends MCP servers one JSON-RPC message at a time: no list of them, and without Content-Encoding.',
    { limit: 'maxCalls' },
  );
}
