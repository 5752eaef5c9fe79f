import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Readable, type Writable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { ServiceError } from '../errors.js';

export type Controller = Pick<Dispatcher.DispatchController, 'pause' | 'resume' | 'abort'>;

/** What takes a body, chunk by chunk. */
export interface BodySink {
  /** Nothing of the body is there yet, and may not be for long: what goes before it must not wait. */
  begin?(): void;
  /** False when it is full; it resumes the controller when it is not any more. */
  write(chunk: Buffer): boolean;
  end(last?: Buffer): void;
  fail(error: ServiceError): void;
}

/** What changes a body on its way. */
export interface Change {
  /** What may go on of it. */
  readonly take: (chunk: Buffer) => Buffer;
  /** What was held of its end. */
  readonly rest: () => Buffer;
}

const NOTHING: Buffer = Buffer.alloc(0);

/** How much is held for a reader. */
export const HELD_BYTES = 64 * 1024;

export const ignored = (): ServiceError =>
  new ServiceError('connection_failed', 'The rest of the answer is not wanted.', { reason: 'aborted' });

// By a member: an import of node:http evaluates everything that it exports, Node's own fetch included.
const isAnswer = (target: Writable): target is ServerResponse => 'flushHeaders' in target;

// Where neither a length nor chunks say where a body ends, its connection does: only a reset is no end.
function breakOff(target: Writable): void {
  const socket = isAnswer(target) ? target.socket : undefined;
  if (socket instanceof Socket) socket.resetAndDestroy();
  else target.destroy();
}

// Up to here a copy costs less than a second buffer for the system to gather.
const JOINED_BYTES = 16 * 1024;

/** Ends an answer. As text a small body goes out in one piece with the head before it; Latin-1 is its bytes as they are. */
function endWith(target: Writable, last: Buffer | undefined): void {
  if (last === undefined) target.end();
  else if (last.length > JOINED_BYTES) target.end(last);
  else target.end(last.toString('latin1'), 'latin1');
}

export function toWritable(target: Writable, controller: Controller, change?: Change): BodySink {
  const begin = () => {
    if (isAnswer(target)) target.flushHeaders();
  };
  return {
    begin,
    write: (chunk) => {
      const piece = change ? change.take(chunk) : chunk;
      // All of it is held: the head need not wait for what comes of it.
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
    highWaterMark: HELD_BYTES,
    read: () => controller.resume(),
    destroy: (error, callback) => {
      if (!isOver) controller.abort(error ?? ignored());
      callback(error);
    },
  });
  // Whoever reads hears of a failure; a failure before that must not end the process.
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
