import type { Socket } from 'node:net';

type Done = (error?: Error | null) => void;

const CLOSED_CODES = ['EPIPE', 'ECONNRESET'];
const isClosed = (error: Error): boolean => 'code' in error && CLOSED_CODES.includes(String(error.code));

/**
 * Keeps a socket readable after a write has failed. An upstream that refuses a request body sends a response and resets
 * the connection, and Node.js would destroy the socket before reading that response (decision 1 in packages/docs).
 * Returns a function that reports whether a write has failed. In that case, a closed connection does not mark the end
 * of a response.
 */
export function readAfterFailedWrite(socket: Socket): () => boolean {
  let hasFailed = false;
  const ignoreClosed =
    (done: Done): Done =>
    (error) => {
      if (!error || !isClosed(error) || socket.readableEnded) return done(error);
      // Never calls `done`. The socket therefore buffers later writes, where they cannot fail, until the response has
      // been read and the socket closes.
      hasFailed = true;
    };
  const write = socket._write.bind(socket);
  const writeAll = socket._writev?.bind(socket);
  socket._write = (chunk, encoding, done) => write(chunk, encoding, ignoreClosed(done));
  if (writeAll) socket._writev = (chunks, done) => writeAll(chunks, ignoreClosed(done));
  return () => hasFailed;
}
