import type { Socket } from 'node:net';

type Done = (error?: Error | null) => void;

const CLOSED_CODES = ['EPIPE', 'ECONNRESET'];
const isClosed = (error: Error): boolean => 'code' in error && CLOSED_CODES.includes(String(error.code));

/**
 * Keeps a socket readable after a write has failed. An upstream that refuses a request body sends a response and resets
 * the connection. Node.js would destroy the socket before that response is read (decision 1 in packages/docs). Returns
 * a function that reports whether a write has failed. After a failed write, a closed connection does not mark the end
 * of a response.
 */
export function readAfterFailedWrite(socket: Socket): () => boolean {
  let hasFailed = false;
  const ignoreClosed =
    (done: Done): Done =>
    (error) => {
      if (!error || !isClosed(error) || socket.readableEnded) return done(error);
      // Does not call `done`. The socket then keeps later writes in its buffer, where they cannot fail, until the
      // response has been read and the socket closes.
      hasFailed = true;
    };
  const write = socket._write.bind(socket);
  const writeAll = socket._writev?.bind(socket);
  socket._write = (chunk, encoding, done) => write(chunk, encoding, ignoreClosed(done));
  if (writeAll) socket._writev = (chunks, done) => writeAll(chunks, ignoreClosed(done));
  return () => hasFailed;
}
