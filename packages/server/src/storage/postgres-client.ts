import { setTimeout as wait } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { isTooManyConnections, unreachable } from './postgres-error.js';

/** Timeout for a client of the pool, free or new. */
export const CONNECT_TIMEOUT_MS = 5000;

/** Timeout of a response. It is longer than the statement timeout of the server, so that a late response is a lost one. */
export const ANSWER_TIMEOUT_MS = 10_000;

/** Settings by which the server notices after 25 s that a machine has vanished, and releases its locks. */
export const KEEPALIVE_SETTINGS = [
  'tcp_keepalives_idle = 10',
  'tcp_keepalives_interval = 5',
  'tcp_keepalives_count = 3',
] as const;

const FIRST_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 400;

/** Connects, and retries with backoff while other clients use all connections that the server allows. */
async function connectWhenFree(pool: Pool): Promise<PoolClient> {
  const deadline = performance.now() + CONNECT_TIMEOUT_MS;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      return await pool.connect();
    } catch (error) {
      if (!isTooManyConnections(error) || performance.now() > deadline) throw error;
      await wait(pauseMs * (0.5 + Math.random()));
    }
  }
}

/**
 * Returns a client of the pool. A process that stood still runs into the timeout before it reads what has arrived, and tries
 * once more. Throws `unavailable` when there is no client in time.
 */
export async function connectTo(pool: Pool): Promise<PoolClient> {
  const startedAt = performance.now();
  const hasStoodStill = () => performance.now() - startedAt > 2 * CONNECT_TIMEOUT_MS;
  return connectWhenFree(pool)
    .catch((error: unknown) => {
      if (hasStoodStill()) return pool.connect();
      throw error;
    })
    .catch((error: unknown) => {
      // Any error means `unavailable`, because no statement was sent yet: the server may be starting, or have a new password.
      throw unreachable(error);
    });
}

export interface AnswerOptions {
  readonly waitMs?: number;
  /** Time to read a response that arrived while the process stood still. */
  readonly graceMs?: number;
  /** Called when no response came. The client is useless then. */
  readonly onLost?: () => void;
}

/** Rejects when no response comes in time. Without this limit, a client would wait many minutes for a host that has vanished. */
export async function answeredInTime<T>(
  answer: Promise<T>,
  { waitMs = ANSWER_TIMEOUT_MS, graceMs = 1000, onLost }: AnswerOptions = {},
): Promise<T> {
  const done = new AbortController();
  const { signal } = done;
  async function timeOut(): Promise<never> {
    await wait(waitMs, undefined, { signal });
    await wait(graceMs, undefined, { signal });
    onLost?.();
    throw new Error('the connection gave no answer');
  }
  try {
    return await Promise.race([answer, timeOut()]);
  } finally {
    done.abort();
  }
}

/**
 * Finds clients that are connected to a host that has vanished. A client that connected before a statement that got no response
 * is one of them. A younger client stays in use; if it is connected to the same host, its own statement tells.
 */
export function createLostClients<Client extends object>(
  onConnect: (listener: (client: Client) => void) => void,
  now: () => number = () => performance.now(),
) {
  const connectedAt = new WeakMap<Client, number>();
  let lostAt = Number.NEGATIVE_INFINITY;
  onConnect((client) => connectedAt.set(client, now()));
  return {
    isLost: (client: Client): boolean => (connectedAt.get(client) ?? 0) <= lostAt,
    /** Reports the time, by `performance.now()`, of a statement that got no response. */
    reportLost: (askedAt: number): void => {
      lostAt = Math.max(lostAt, askedAt);
    },
  };
}
