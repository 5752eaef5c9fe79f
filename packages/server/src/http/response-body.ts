import type { Readable, Writable } from 'node:stream';
import type { ServiceError } from '../errors.js';
import {
  type BodySink,
  BUFFER_BYTES,
  type Controller,
  ignored,
  NOWHERE,
  toReadable,
  toTaker,
  toWritable,
} from './body-sink.js';
import type { Edit } from './edit.js';

/** Body of a response. Call exactly one of `pipe`, `drain`, `stream`, `discard` and `destroy`, and call it once. */
export interface ResponseBody {
  /**
   * Writes the body, edited by `edit`, to `target` and ends `target`. Destroys `target` if the body is incomplete, so
   * that it never looks complete.
   */
  pipe(target: Writable, edit?: Edit): void;
  /**
   * Passes every chunk to `take`, and resolves at the end of the body. Costs much less than a stream. If `take` throws,
   * the upstream connection is closed.
   */
  drain(take: (chunk: Buffer) => void): Promise<void>;
  /**
   * Returns the body as a stream. The stream fails with a ServiceError if the body is incomplete. Destroying the stream
   * closes the upstream connection.
   */
  stream(): Readable;
  /** Reads and drops the rest of the body, so that the connection can be reused. */
  discard(): void;
  /** Closes the upstream connection without reading the rest of the body. */
  destroy(): void;
  /** Calls `listener` once when the body has ended or failed, or immediately if that has already happened. */
  onClose(listener: () => void): void;
}

/** Response body, with the functions by which the HTTP client delivers its chunks. */
export interface BodyInlet {
  readonly body: ResponseBody;
  push(chunk: Buffer): void;
  end(): void;
  fail(error: ServiceError): void;
}

type Outcome = 'ended' | ServiceError;

/**
 * Buffers chunks until the body's consumer is attached. By then a small response is often complete, and is written as
 * one chunk.
 */
function createHandover(controller: Controller) {
  const early: Buffer[] = [];
  let earlyBytes = 0;
  let sink: BodySink | undefined;
  let outcome: Outcome | undefined;

  const buffer = (chunk: Buffer): boolean => {
    early.push(chunk);
    earlyBytes += chunk.length;
    return earlyBytes < BUFFER_BYTES;
  };
  return {
    outcome: () => outcome,
    push: (chunk: Buffer) => {
      const hasRoom = sink ? sink.write(chunk) : buffer(chunk);
      if (!hasRoom) controller.pause();
    },
    finish: (how: Outcome) => {
      outcome = how;
      if (how === 'ended') sink?.end();
      else sink?.fail(how);
    },
    attach: (to: BodySink) => {
      sink = to;
      const last = outcome === 'ended' ? early.pop() : undefined;
      const writes = early.splice(0).map((chunk) => to.write(chunk));
      if (writes.length === 0 && outcome === undefined) to.begin?.();
      if (outcome === 'ended') to.end(last);
      else if (outcome) to.fail(outcome);
      else if (writes.at(-1) === false) controller.pause();
      else controller.resume();
    },
  };
}

export function createResponseBody(controller: Controller): BodyInlet {
  const { attach, finish, outcome, push } = createHandover(controller);
  let onClose: (() => void) | undefined;

  const close = (how: Outcome) => {
    finish(how);
    onClose?.();
  };
  const body: ResponseBody = {
    pipe: (target, edit) => attach(toWritable(target, controller, edit)),
    drain: (take) => new Promise((resolve, reject) => attach(toTaker(take, { controller, resolve, reject }))),
    stream: () => {
      const { readable, sink } = toReadable(controller);
      attach(sink);
      return readable;
    },
    discard: () => attach(NOWHERE),
    destroy: () => {
      if (outcome() === undefined) controller.abort(ignored());
    },
    onClose: (listener) => {
      onClose = listener;
      if (outcome()) listener();
    },
  };
  return { body, push, end: () => close('ended'), fail: close };
}
