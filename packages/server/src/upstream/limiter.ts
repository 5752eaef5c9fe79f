import { createFairQueue } from '../concurrency/fair-queue.js';
import { callerDisconnected, ServiceError } from '../errors.js';
import type { Cancellation } from '../http/send-http.js';

export type Release = () => void;

/** Connected account that makes a call, with its connection and its application. */
export interface CallOwner {
  readonly applicationId: string;
  readonly connectionId: string;
  /** Id of the connected account. */
  readonly id: string;
}

export interface LimiterOptions {
  /**
   * Maximum number of concurrent calls. One application may use as many slots as it leaves free, so at most half if no
   * other application makes calls. Default: 1000.
   */
  readonly slots?: number;
  /**
   * Maximum number of queued calls. One application may queue as many calls as it leaves places free. Default: 2000.
   */
  readonly waiting?: number;
  /** Maximum number of concurrent calls per connection. One account may use 80 % of them. Default: 100. */
  readonly concurrency?: number;
  /** Maximum number of queued calls per connection. Default: 200. */
  readonly queue?: number;
  /** Maximum time that a call may wait in the queue, in milliseconds. Default: 10000. */
  readonly waitMs?: number;
  /** Returns milliseconds since any fixed time. Default: the clock of the process. */
  readonly now?: () => number;
}

/**
 * Connection of which the limiter refused a call within the last 5 s. Times are milliseconds of the limiter's clock.
 */
export interface OverloadedConnection extends Pick<CallOwner, 'applicationId' | 'connectionId'> {
  /**
   * Time of the first refused call of the current overload, in milliseconds of the limiter's clock. An overload ends 5
   * s after its last refused call.
   */
  readonly since: number;
  readonly refusedAt: number;
}

/**
 * Fair semaphore that limits concurrent calls per account, per connection, per application and in total (rule F5 in
 * security-rules.md). Queued calls start round-robin by application, then by connection, then by account. `acquire`
 * throws `unavailable` if the queue is full or the wait is too long, and `connection_failed` if the client disconnects.
 */
export interface Limiter {
  acquire(owner: CallOwner, signal?: Cancellation): Release | Promise<Release>;
  /**
   * Returns the number of running calls, the number of queued calls, and the number of calls refused since the process
   * started.
   */
  use(): { readonly running: number; readonly waiting: number; readonly refused: number };
  /** Lists the connections on which the limiter refused a call within the last 5 s. */
  overloaded(): readonly OverloadedConnection[];
}

const RETRY_AFTER_SECONDS = 1;
// Time in milliseconds for which a connection counts as overloaded after its last refused call.
const OVERLOADED_MS = 5000;
const APPLICATION = 0;
const CONNECTION = 1;
const ACCOUNT = 2;
/**
 * Largest fraction of a connection's slots that one account may use, so that slow calls of one account cannot block the
 * other accounts.
 */
const OF_ONE_ACCOUNT = 0.8;

const overloaded = (subject: string): ServiceError =>
  new ServiceError('unavailable', `${subject} has too many calls in progress. Retry in a few seconds.`, {
    retryAfter: RETRY_AFTER_SECONDS,
    reason: 'queue',
  });

const CONNECTION_SUBJECT = 'This connection';

interface Bounds extends Required<Omit<LimiterOptions, 'now'>> {}

/**
 * Counts running calls in total and per application, connection and account. Decides whether another call may start.
 */
function createSlots({ slots, concurrency }: Bounds) {
  const running = new Map<string, number>();
  let all = 0;
  const of = (id: string) => running.get(id) ?? 0;

  const change = (id: string, by: number) => {
    const now = of(id) + by;
    if (now === 0) running.delete(id);
    else running.set(id, now);
  };
  const count = ({ applicationId, connectionId, id }: CallOwner, by: number) => {
    all += by;
    for (const each of [applicationId, connectionId, id]) change(each, by);
  };
  const most: Readonly<Record<number, number>> = {
    [CONNECTION]: concurrency,
    [ACCOUNT]: Math.ceil(concurrency * OF_ONE_ACCOUNT),
  };
  return {
    all: () => all,
    take: (owner: CallOwner) => count(owner, 1),
    giveBack: (owner: CallOwner) => count(owner, -1),
    isFree: (id: string, level: number): boolean => {
      if (level === APPLICATION) return of(id) < slots - all;
      return of(id) < (most[level] ?? Number.POSITIVE_INFINITY);
    },
  };
}

/** Remembers the connections on which the limiter refuses calls, for `overloaded`. */
function createRefusals(now: () => number) {
  const refusals = new Map<string, OverloadedConnection>();
  const isOver = ({ refusedAt }: OverloadedConnection) => now() - refusedAt > OVERLOADED_MS;

  function list(): readonly OverloadedConnection[] {
    for (const [id, refusal] of refusals) if (isOver(refusal)) refusals.delete(id);
    return [...refusals.values()];
  }

  function note({ applicationId, connectionId }: CallOwner): void {
    const known = refusals.get(connectionId);
    const since = known === undefined || isOver(known) ? now() : known.since;
    refusals.set(connectionId, { applicationId, connectionId, since, refusedAt: now() });
  }

  return { list, note };
}

interface Waiting {
  readonly start: () => void;
}

export function createLimiter({ now = () => performance.now(), ...options }: LimiterOptions = {}): Limiter {
  const bounds = { slots: 1000, waiting: 2000, concurrency: 100, queue: 200, waitMs: 10_000, ...options };
  const slots = createSlots(bounds);
  const queue = createFairQueue<Waiting>(slots.isFree);
  const refusals = createRefusals(now);
  let refused = 0;

  function refusal(owner: CallOwner, subject: string): ServiceError {
    refused += 1;
    refusals.note(owner);
    return overloaded(subject);
  }

  function startNext(): void {
    while (queue.size([]) > 0) {
      const next = queue.take();
      if (next === undefined) return;
      next.start();
    }
  }

  function begin(owner: CallOwner): Release {
    let isTaken = true;
    slots.take(owner);
    return () => {
      if (!isTaken) return;
      isTaken = false;
      slots.giveBack(owner);
      startNext();
    };
  }

  // Decides whether a call may start without waiting. Such a call overtakes no queued one, because every released slot
  // immediately starts all queued calls that may run.
  const mayBegin = ({ applicationId, connectionId, id }: CallOwner): boolean =>
    [applicationId, connectionId, id].every(slots.isFree);

  function checkQueue(owner: CallOwner): void {
    const { applicationId, connectionId } = owner;
    if (queue.size([applicationId, connectionId]) >= bounds.queue) throw refusal(owner, CONNECTION_SUBJECT);
    if (queue.size([applicationId]) >= bounds.waiting - queue.size([]))
      throw refusal(owner, 'This application');
  }

  function wait(owner: CallOwner, signal: Cancellation | undefined): Promise<Release> {
    return new Promise((resolve, reject) => {
      const stopWaiting = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      const start = () => {
        stopWaiting();
        resolve(begin(owner));
      };
      const giveUp = (error: ServiceError) => {
        stopWaiting();
        leave();
        reject(error);
      };
      const onAbort = () => giveUp(callerDisconnected());
      const leave = queue.add([owner.applicationId, owner.connectionId, owner.id], { start });
      const timer = setTimeout(() => giveUp(refusal(owner, CONNECTION_SUBJECT)), bounds.waitMs);
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  return {
    use: () => ({ running: slots.all(), waiting: queue.size([]), refused }),
    overloaded: refusals.list,
    acquire: (owner, signal) => {
      if (mayBegin(owner)) return begin(owner);
      if (signal?.aborted) throw callerDisconnected();
      checkQueue(owner);
      return wait(owner, signal);
    },
  };
}
