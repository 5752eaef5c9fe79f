import type { Socket } from 'node:net';
import { errors } from 'undici';

type Done = (error?: Error | null) => void;

const GONE = ['EPIPE', 'ECONNRESET'];
const isGone = (error: Error): boolean => 'code' in error && GONE.includes(String(error.code));

/**
 * Lets a connection be read to its end when the upstream takes no more. Whoever refuses a body answers, and resets while it is
 * still being sent: the answer has arrived by then, but a write that fails would end the connection before it is read. So no
 * more is written, the rest is read, and its end counts as the reset that it is, and never as the end of an answer.
 */
export function readLast(socket: Socket): void {
  let isBroken = false;
  const heard =
    (done: Done): Done =>
    (error) => {
      if (!error || !isGone(error) || socket.readableEnded) return done(error);
      // Never called back: what waits to be written stays where it is.
      isBroken = true;
    };
  const write = socket._write.bind(socket);
  const writeAll = socket._writev?.bind(socket);
  const push = socket.push.bind(socket);
  socket._write = (chunk, encoding, done) => write(chunk, encoding, heard(done));
  if (writeAll) socket._writev = (chunks, done) => writeAll(chunks, heard(done));
  socket.push = (chunk, encoding) => {
    if (chunk !== null || !isBroken) return push(chunk, encoding);
    socket.destroy(new errors.SocketError('reset'));
    return false;
  };
}
