import { createFairQueue } from '../concurrency/fair-queue.js';
import { ServiceError } from '../errors.js';
import { callerGone } from '../http/caller-gone.js';
import type { Cancellation } from '../http/send.js';

export type Release = () => void;

/** Whose call it is. */
export interface CallOwner {
  readonly applicationId: string;
  readonly connectionId: string;
  /** Of the account. */
  readonly id: string;
}

export interface LimiterOptions {
  /** Calls that may run at once. An application gets as many of them as are left free, so half of them when it is alone. */
  readonly places?: number;
  /** Calls that may wait, shared in the same way. */
  readonly waiting?: number;
  /** Calls of one connection that may run at once; of one account four fifths of them. */
  readonly concurrency?: number;
  /** Calls of one connection that may wait. */
  readonly queue?: number;
  readonly waitMs?: number;
}

/**
 * Bounds the calls of each connection, of each application and of all (rule F5). Who waits has turns: applications first, then
 * their connections, then their accounts. Throws unavailable when too many wait already, or one waits too long, and
 * connection_failed when the caller goes away meanwhile.
 */
export interface Limiter {
  acquire(owner: CallOwner, signal?: Cancellation): Release | Promise<Release>;
}

const RETRY_AFTER_SECONDS = 1;
const APPLICATION = 0;
const CONNECTION = 1;
const ACCOUNT = 2;
/** Whoever holds a token of one account, and takes its answers a drop at a time, must not shut out all others. */
const OF_ONE_ACCOUNT = 0.8;

const overloaded = (whose: string): ServiceError =>
  new ServiceError('unavailable', `${whose} has too many calls under way. Try again shortly.`, {
    retryAfter: RETRY_AFTER_SECONDS,
  });

const busyConnection = () => overloaded('This connection');

interface Bounds extends Required<LimiterOptions> {}

/** Counts what runs, and says who may begin. */
function createPlaces({ places, concurrency }: Bounds) {
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
    take: (owner: CallOwner) => count(owner, 1),
    giveBack: (owner: CallOwner) => count(owner, -1),
    hasRoom: (id: string, level: number): boolean => {
      if (level === APPLICATION) return of(id) < places - all;
      return of(id) < (most[level] ?? Number.POSITIVE_INFINITY);
    },
  };
}

interface Waiting {
  readonly start: () => void;
}

export function createLimiter(options: LimiterOptions = {}): Limiter {
  const bounds = { places: 1000, waiting: 2000, concurrency: 100, queue: 200, waitMs: 10_000, ...options };
  const places = createPlaces(bounds);
  const queue = createFairQueue<Waiting>(places.hasRoom);

  function startNext(): void {
    while (queue.size([]) > 0) {
      const next = queue.take();
      if (next === undefined) return;
      next.start();
    }
  }

  function begin(owner: CallOwner): Release {
    let isHeld = true;
    places.take(owner);
    return () => {
      if (!isHeld) return;
      isHeld = false;
      places.giveBack(owner);
      startNext();
    };
  }

  // Whoever waits and could begin has begun when the last place was given back: so those that wait are in nobody's way.
  const mayBegin = ({ applicationId, connectionId, id }: CallOwner): boolean =>
    [applicationId, connectionId, id].every(places.hasRoom);

  function checkQueue({ applicationId, connectionId }: CallOwner): void {
    if (queue.size([applicationId, connectionId]) >= bounds.queue) throw busyConnection();
    if (queue.size([applicationId]) >= bounds.waiting - queue.size([])) throw overloaded('This application');
  }

  function wait(owner: CallOwner, signal: Cancellation | undefined): Promise<Release> {
    return new Promise((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      const start = () => {
        settle();
        resolve(begin(owner));
      };
      const giveUp = (error: ServiceError) => {
        settle();
        leave();
        reject(error);
      };
      const onAbort = () => giveUp(callerGone());
      const leave = queue.add([owner.applicationId, owner.connectionId, owner.id], { start });
      const timer = setTimeout(() => giveUp(busyConnection()), bounds.waitMs);
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  return {
    acquire: (owner, signal) => {
      if (mayBegin(owner)) return begin(owner);
      if (signal?.aborted) throw callerGone();
      checkQueue(owner);
      return wait(owner, signal);
    },
  };
}
