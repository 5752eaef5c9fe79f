import type { Socket } from 'node:net';

type Done = (error?: Error | null) => void;

const GONE = ['EPIPE', 'ECONNRESET'];
const isGone = (error: Error): boolean => 'code' in error && GONE.includes(String(error.code));

/**
 * Keeps a socket readable when the upstream takes no more bytes. An upstream that refuses a body responds and resets: its
 * response has arrived by then, but Node.js destroys a socket as soon as a write fails. See decision 1 in packages/docs.
 * The result tells whether a write has failed, after which the end of the connection completes no response.
 */
export function readAfterFailedWrite(socket: Socket): () => boolean {
  let hasFailed = false;
  const ignoreGone =
    (done: Done): Done =>
    (error) => {
      if (!error || !isGone(error) || socket.readableEnded) return done(error);
      // Not calling back leaves later writes in the buffer, so that none of them fails.
      hasFailed = true;
    };
  const write = socket._write.bind(socket);
  const writeAll = socket._writev?.bind(socket);
  socket._write = (chunk, encoding, done) => write(chunk, encoding, ignoreGone(done));
  if (writeAll) socket._writev = (chunks, done) => writeAll(chunks, ignoreGone(done));
  return () => hasFailed;
}
