import type { Socket } from 'node:net';
import { errors } from 'undici';

/** Socket to an upstream, with facts about its responses that undici does not report. */
export interface WatchedSocket {
  /** Marks the start of a request. Call it before writing the request. */
  begin(): void;
  /**
   * Marks the end of the final response headers. Returns the HTTP version of the response, and whether the request was
   * sent completely.
   */
  endHead(): { readonly isHttp11: boolean; readonly isRequestSent: boolean };
  /** Marks the end of a response. If a byte arrives before the next request, the socket is then destroyed. */
  rest(): void;
  /**
   * Returns true if a reset of the connection ended the response. Such a response is incomplete (rule P11 in
   * security-rules.md).
   */
  isReset(): boolean;
  destroy(reason?: Error): void;
}

const VERSION = 'HTTP/1.1 ';
/** Maximum number of bytes before a response body: status lines and headers, including those of interim responses. */
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
  // Pauses the socket, because undici reads it on 'readable' events. The 'data' listener then sees what undici reads,
  // and starts no reading itself.
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
