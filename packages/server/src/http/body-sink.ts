import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Readable, type Writable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { ServiceError } from '../errors.js';

export type Controller = Pick<Dispatcher.DispatchController, 'pause' | 'resume' | 'abort'>;

/** Receives a body, chunk by chunk. */
export interface BodySink {
  /** Called while no byte of the body has arrived, so that the head of the response is sent at once. */
  begin?(): void;
  /** Returns false when the buffer is full, and resumes the controller when there is space again. */
  write(chunk: Buffer): boolean;
  end(last?: Buffer): void;
  fail(error: ServiceError): void;
}

/** Changes a body that is streamed. */
export interface Change {
  /** Takes a chunk, and returns bytes to send. */
  readonly take: (chunk: Buffer) => Buffer;
  /** Returns the remaining bytes after the last chunk. */
  readonly rest: () => Buffer;
}

const NOTHING: Buffer = Buffer.alloc(0);

/** Maximum number of bytes that are buffered for a reader. */
export const BUFFER_BYTES = 64 * 1024;

export const ignored = (): ServiceError =>
  new ServiceError('connection_failed', 'The rest of the response is discarded.', { reason: 'aborted' });

// Checked by a member, because an import of node:http evaluates every export, fetch included.
const isServerResponse = (target: Writable): target is ServerResponse => 'flushHeaders' in target;

// A body without length and chunks ends with its connection, so that only a reset shows that it is incomplete.
function breakOff(target: Writable): void {
  const socket = isServerResponse(target) ? target.socket : undefined;
  if (socket instanceof Socket) socket.resetAndDestroy();
  else target.destroy();
}

// Maximum size of a body that is copied into the buffer of the head. A larger one is cheaper as a second buffer of the system call.
const JOINED_BYTES = 16 * 1024;

/** Ends a response. A small body is written as text, so that Node.js sends it in one piece with the head. Latin-1 keeps its bytes. */
function endWith(target: Writable, last: Buffer | undefined): void {
  if (last === undefined) target.end();
  else if (last.length > JOINED_BYTES) target.end(last);
  else target.end(last.toString('latin1'), 'latin1');
}

export function toWritable(target: Writable, controller: Controller, change?: Change): BodySink {
  const begin = () => {
    if (isServerResponse(target)) target.flushHeaders();
  };
  return {
    begin,
    write: (chunk) => {
      const piece = change ? change.take(chunk) : chunk;
      // The change keeps all bytes so far, and the head need not wait for them.
      if (piece.length === 0) begin();
      const hasRoom = piece.length === 0 || target.write(piece);
      if (!hasRoom) target.once('drain', () => controller.resume());
      return hasRoom;
    },
    end: (last) =>
      endWith(target, change ? Buffer.concat([change.take(last ?? NOTHING), change.rest()]) : last),
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
  // The reader gets this error. Without a listener, a failure before reading would end the process.
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
