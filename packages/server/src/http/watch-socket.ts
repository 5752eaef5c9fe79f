import type { Socket } from 'node:net';
import { errors } from 'undici';

/** A socket to an upstream, and facts about its responses that undici does not report. */
export interface WatchedSocket {
  /** Call before a request is written. */
  begin(): void;
  /** Call when the head of the final response is complete. */
  endHead(): { readonly isHttp11: boolean; readonly isRequestSent: boolean };
  /** Call when the response is complete: bytes that arrive before the next request destroy the socket. */
  rest(): void;
  /** Checks whether a reset ended the connection. A reset never completes a response (rule P11). */
  isReset(): boolean;
  destroy(reason?: Error): void;
}

const VERSION = 'HTTP/1.1 ';
/** Maximum number of bytes before a body, interim responses and status lines included. */
const MAX_HEAD_BYTES = 64 * 1024;

const isResetError = (error: Error | null): boolean =>
  error !== null && 'code' in error && error.code === 'ECONNRESET';

export function watchSocket(socket: Socket, hasFailedWrite: () => boolean): WatchedSocket {
  let state: 'new' | 'head' | 'body' | 'idle' = 'new';
  let firstBytes = '';
  let headBytes = 0;

  function note(chunk: Buffer): void {
    if (state === 'idle') socket.destroy();
    if (state !== 'head') return;
    if (headBytes > MAX_HEAD_BYTES) socket.destroy(new errors.HeadersOverflowError());
    if (firstBytes.length < VERSION.length)
      firstBytes += chunk.toString('latin1', 0, VERSION.length - firstBytes.length);
    headBytes += chunk.length;
  }
  // Paused, because undici reads on 'readable': then 'data' reports what it reads, and starts no reading of its own.
  socket.pause().on('data', note);

  return {
    begin: () => {
      state = 'head';
      firstBytes = '';
      headBytes = 0;
    },
    endHead: () => {
      state = 'body';
      return { isHttp11: firstBytes === VERSION, isRequestSent: socket.writableLength === 0 };
    },
    rest: () => {
      state = 'idle';
    },
    isReset: () => isResetError(socket.errored) || (hasFailedWrite() && socket.readableEnded),
    destroy: (reason) => socket.destroy(reason),
  };
}
