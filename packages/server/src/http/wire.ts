import type { Socket } from 'node:net';
import { errors } from 'undici';

/** A connection, and what the client does not tell of it. */
export interface Wire {
  /** A request is about to be written. */
  begin(): void;
  /** The last head of its answer is complete: whether it began as HTTP/1.1 does, and after all of the request was gone. */
  endHead(): { readonly isCurrent: boolean; readonly isAllGone: boolean };
  /** The answer is over; nothing may arrive until the next request. */
  rest(): void;
  destroy(reason?: Error): void;
}

const VERSION = 'HTTP/1.1 ';
/** Of all that comes before a body, the interim answers and the line of the status included. */
const MAX_HEAD = 64 * 1024;

const isReset = (error: Error | undefined): boolean =>
  error !== undefined && 'code' in error && error.code === 'ECONNRESET';

export function watchWire(socket: Socket): Wire {
  let state: 'new' | 'head' | 'body' | 'idle' = 'new';
  let begun = '';
  let headBytes = 0;

  const note = (chunk: Buffer) => {
    if (state === 'idle') socket.destroy();
    if (state !== 'head') return;
    if (headBytes > MAX_HEAD) socket.destroy(new errors.HeadersOverflowError());
    if (begun.length < VERSION.length) begun += chunk.toString('latin1', 0, VERSION.length - begun.length);
    headBytes += chunk.length;
  };
  const read = socket.read.bind(socket);
  // The client takes what arrived by this alone. It says neither the version of an answer nor how long its first line was.
  socket.read = (size) => {
    const chunk: Buffer | null = read(size);
    if (chunk !== null) note(chunk);
    return chunk;
  };
  const destroy = socket.destroy.bind(socket);
  // The client takes a reset for the end of an answer that its connection ends. Half of one never looks complete (rule P11).
  socket.destroy = (error) =>
    destroy(state === 'body' && isReset(error) ? new errors.SocketError('reset') : error);
  return {
    begin: () => {
      state = 'head';
      begun = '';
      headBytes = 0;
    },
    endHead: () => {
      state = 'body';
      return { isCurrent: begun === VERSION, isAllGone: socket.writableLength === 0 };
    },
    rest: () => {
      state = 'idle';
    },
    destroy: (reason) => socket.destroy(reason),
  };
}
