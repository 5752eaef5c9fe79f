import { ServiceError } from '../errors.js';

export type Release = () => void;

export interface LimiterOptions {
  /** Calls of one connection that may run at once. */
  readonly concurrency?: number;
  /** Calls of one connection that may wait. */
  readonly queue?: number;
  readonly waitMs?: number;
}

/** Bounds the calls of each connection (rule F5). Throws unavailable when too many wait already, or one waits too long. */
export interface Limiter {
  acquire(connectionId: string, signal?: AbortSignal): Release | Promise<Release>;
}

interface Lane {
  running: number;
  readonly waiting: Set<() => void>;
}

const RETRY_AFTER_SECONDS = 1;

const overloaded = (): ServiceError =>
  new ServiceError('unavailable', 'This connection has too many calls under way. Try again shortly.', {
    retryAfter: RETRY_AFTER_SECONDS,
  });

function waitForTurn(lane: Lane, waitMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (outcome: () => void) => () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
      lane.waiting.delete(start);
      outcome();
    };
    const start = settle(resolve);
    const giveUp = settle(() => reject(overloaded()));
    const timer = setTimeout(giveUp, waitMs);
    signal?.addEventListener('abort', giveUp, { once: true });
    lane.waiting.add(start);
  });
}

export function createLimiter({
  concurrency = 100,
  queue = 200,
  waitMs = 10_000,
}: LimiterOptions = {}): Limiter {
  const lanes = new Map<string, Lane>();

  const releaseOnce = (connectionId: string, lane: Lane): Release => {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const [next] = lane.waiting;
      if (next) return next();
      lane.running -= 1;
      if (lane.running === 0) lanes.delete(connectionId);
    };
  };

  return {
    acquire: (connectionId, signal) => {
      const lane = lanes.get(connectionId) ?? { running: 0, waiting: new Set() };
      lanes.set(connectionId, lane);
      if (lane.running < concurrency) {
        lane.running += 1;
        return releaseOnce(connectionId, lane);
      }
      if (lane.waiting.size >= queue) throw overloaded();
      return waitForTurn(lane, waitMs, signal).then(() => releaseOnce(connectionId, lane));
    },
  };
}
