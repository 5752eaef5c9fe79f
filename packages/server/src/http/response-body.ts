import { Readable, type Writable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { ServiceError } from '../errors.js';

/** A body on its way. Exactly one of `pipe`, `stream`, `discard` and `destroy` is called, once. */
export interface ResponseBody {
  /** Writes the body to `target` and ends it. One that breaks off destroys it, so that it never looks complete. */
  pipe(target: Writable): void;
  /** Fails with a ServiceError when the body breaks off. Destroying it frees the socket. */
  stream(): Readable;
  /** Reads the rest and drops it, so that the connection can be used again. */
  discard(): void;
  /** Frees the socket. */
  destroy(): void;
  /** Calls back once, when the body has ended or broken off, also when it has already. */
  onClose(listener: () => void): void;
}

/** Where a body arrives. */
export interface BodyInlet {
  readonly body: ResponseBody;
  push(chunk: Buffer): void;
  end(): void;
  fail(error: ServiceError): void;
}

interface Sink {
  /** False when it is full; the controller is resumed when it is not any more. */
  write(chunk: Buffer): boolean;
  end(last?: Buffer): void;
  fail(error: ServiceError): void;
}

type Controller = Pick<Dispatcher.DispatchController, 'pause' | 'resume' | 'abort'>;

const EARLY_BYTES = 64 * 1024;

const ignored = (): ServiceError =>
  new ServiceError('connection_failed', 'The rest of the answer is not wanted.', { reason: 'aborted' });

const toWritable = (target: Writable, controller: Controller): Sink => ({
  write: (chunk) => {
    const hasRoom = target.write(chunk);
    if (!hasRoom) target.once('drain', () => controller.resume());
    return hasRoom;
  },
  end: (last) => target.end(last),
  fail: () => target.destroy(),
});

function toReadable(controller: Controller): { readable: Readable; sink: Sink } {
  let isOver = false;
  const readable = new Readable({
    highWaterMark: EARLY_BYTES,
    read: () => controller.resume(),
    destroy: (error, callback) => {
      if (!isOver) controller.abort(error ?? ignored());
      callback(error);
    },
  });
  // Whoever reads hears of a failure; a failure before that must not end the process.
  readable.on('error', () => undefined);
  const sink: Sink = {
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

const NOWHERE: Sink = { write: () => true, end: () => undefined, fail: () => undefined };

/** Keeps what arrives before somebody wants it; a small answer is often complete by then, and goes on in one write. */
export function createResponseBody(controller: Controller): BodyInlet {
  const early: Buffer[] = [];
  let earlyBytes = 0;
  let sink: Sink | undefined;
  let outcome: 'ended' | ServiceError | undefined;
  let onClose: (() => void) | undefined;

  const close = (how: 'ended' | ServiceError) => {
    outcome = how;
    onClose?.();
  };
  const keep = (chunk: Buffer): boolean => {
    early.push(chunk);
    earlyBytes += chunk.length;
    return earlyBytes < EARLY_BYTES;
  };
  const attach = (to: Sink) => {
    sink = to;
    const last = outcome === 'ended' ? early.pop() : undefined;
    const hasRoom =
      early
        .splice(0)
        .map((chunk) => to.write(chunk))
        .at(-1) ?? true;
    if (outcome === 'ended') to.end(last);
    else if (outcome) to.fail(outcome);
    else if (hasRoom) controller.resume();
    else controller.pause();
  };

  const body: ResponseBody = {
    pipe: (target) => attach(toWritable(target, controller)),
    stream: () => {
      const { readable, sink: to } = toReadable(controller);
      attach(to);
      return readable;
    },
    discard: () => attach(NOWHERE),
    destroy: () => {
      if (outcome === undefined) controller.abort(ignored());
    },
    onClose: (listener) => {
      onClose = listener;
      if (outcome) listener();
    },
  };

  return {
    body,
    push: (chunk) => {
      const hasRoom = sink ? sink.write(chunk) : keep(chunk);
      if (!hasRoom) controller.pause();
    },
    end: () => {
      close('ended');
      sink?.end();
    },
    fail: (error) => {
      close(error);
      sink?.fail(error);
    },
  };
}
