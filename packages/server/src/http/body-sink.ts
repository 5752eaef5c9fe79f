import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Readable, type Writable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { RETRY_ADVICE, ServiceError } from '../errors.js';
import type { Edit } from './edit.js';

export type Controller = Pick<Dispatcher.DispatchController, 'pause' | 'resume' | 'abort'>;

/** Receiver of a response body, such as a stream or the service's response to the caller. */
export interface BodySink {
  /**
   * Called if the receiver is attached before any byte of the body has arrived. Sends the response headers to the
   * caller without waiting for the body.
   */
  begin?(): void;
  /**
   * Writes a chunk of the response body. If the buffer is full, returns false and resumes the upstream connection as
   * soon as the buffer has space.
   */
  write(chunk: Buffer): boolean;
  end(last?: Buffer): void;
  fail(error: ServiceError): void;
}

const NOTHING: Buffer = Buffer.alloc(0);

/**
 * Maximum number of body bytes that are buffered for a slow reader before the service pauses the upstream connection.
 */
export const BUFFER_BYTES = 64 * 1024;

export const ignored = (): ServiceError =>
  new ServiceError(
    'connection_failed',
    `The call was cancelled before its response was complete. ${RETRY_ADVICE}`,
    { reason: 'aborted' },
  );

// Tests for a method, because `instanceof` would require an import of node:http. That import evaluates all exports,
// including `WebSocket` with Node's fetch implementation.
const isServerResponse = (target: Writable): target is ServerResponse => 'flushHeaders' in target;

// Resets the connection to the reader of an incomplete response. A body without Content-Length and chunked encoding
// ends when the connection closes, so only a reset shows that it is incomplete.
function breakOff(target: Writable): void {
  const socket = isServerResponse(target) ? target.socket : undefined;
  if (socket instanceof Socket) socket.resetAndDestroy();
  else target.destroy();
}

// Maximum size in bytes of a body that is copied into one buffer with the response headers. For a larger body, sending
// a second buffer in the same system call is cheaper than copying.
const JOINED_BYTES = 16 * 1024;

/**
 * Ends a response with the last bytes of its body. Writes a small body as a latin1 string, which keeps its bytes,
 * because Node.js sends a string together with the headers.
 */
function endWith(target: Writable, last: Buffer | undefined): void {
  if (last === undefined) target.end();
  else if (last.length > JOINED_BYTES) target.end(last);
  else target.end(last.toString('latin1'), 'latin1');
}

export function toWritable(target: Writable, controller: Controller, edit?: Edit): BodySink {
  const begin = () => {
    if (isServerResponse(target)) target.flushHeaders();
  };
  return {
    begin,
    write: (chunk) => {
      const piece = edit ? edit.take(chunk) : chunk;
      // Sends the response headers immediately, because the edit has not returned any bytes of the body yet.
      if (piece.length === 0) begin();
      const hasRoom = piece.length === 0 || target.write(piece);
      if (!hasRoom) target.once('drain', () => controller.resume());
      return hasRoom;
    },
    end: (last) => endWith(target, edit ? Buffer.concat([edit.take(last ?? NOTHING), edit.rest()]) : last),
    fail: () => breakOff(target),
  };
}

export function toReadable(controller: Controller): { readable: Readable; sink: BodySink } {
  let isOver = false;
  const readable = new Readable({
    highWaterMark: BUFFER_BYTES,
    read: () => controller.resume(),
    destroy: (error, callback) => {
      if (!isOver) controller.abort(error ?? ignored());
      callback(error);
    },
  });
  // Adds a listener that does nothing, because Node.js ends the process if an error has no listener. The reader of the
  // stream gets the error too.
  readable.on('error', () => undefined);
  const sink: BodySink = {
    write: (chunk) => readable.push(chunk),
    end: (last) => {
      isOver = true;
      if (last) readable.push(last);
      readable.push(null);
    },
    fail: (error) => {
      isOver = true;
      readable.destroy(error);
    },
  };
  return { readable, sink };
}

interface Taking {
  readonly controller: Controller;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export function toTaker(take: (chunk: Buffer) => void, { controller, resolve, reject }: Taking): BodySink {
  let isRefused = false;
  const tryTake = (chunk: Buffer) => {
    if (isRefused) return;
    try {
      take(chunk);
    } catch (error) {
      isRefused = true;
      reject(error);
      controller.abort(ignored());
    }
  };
  return {
    write: (chunk) => {
      tryTake(chunk);
      return true;
    },
    end: (last) => {
      if (last) tryTake(last);
      resolve();
    },
    fail: reject,
  };
}

export const NOWHERE: BodySink = { write: () => true, end: () => undefined, fail: () => undefined };
