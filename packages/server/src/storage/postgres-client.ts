import { setTimeout as wait } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { isTooManyConnections, unreachable } from './postgres-error.js';

/**
 * Timeout in milliseconds for getting a client from the connection pool, including the time to open a new connection.
 */
export const CONNECT_TIMEOUT_MS = 5000;

/**
 * Timeout in milliseconds for the response to a statement. The server's statement timeout is shorter, so a missing
 * response means that the connection is broken.
 */
export const RESPONSE_TIMEOUT_MS = 10_000;

/**
 * TCP keepalive settings of a connection. By them, the server notices after 25 s that a client's machine has vanished,
 * and releases its locks.
 */
export const KEEPALIVE_SETTINGS = [
  'tcp_keepalives_idle = 10',
  'tcp_keepalives_interval = 5',
  'tcp_keepalives_count = 3',
] as const;

const FIRST_PAUSE_MS = 25;
const MAX_PAUSE_MS = 400;

/** Gets a client from the connection pool. Retries with backoff if the database server allows no further connection. */
async function connectWhenFree(pool: Pool): Promise<PoolClient> {
  const deadline = performance.now() + CONNECT_TIMEOUT_MS;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
    try {
      return await pool.connect();
    } catch (error) {
      if (!isTooManyConnections(error) || performance.now() > deadline) throw error;
      await wait(pauseMs * (0.5 + Math.random()));
    }
  }
}

/**
 * Gets a client from the connection pool. If the process was suspended, the timeout may pass before the process reads
 * responses that have arrived, so the function tries twice. Throws `unavailable` if it gets no client in time.
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
      // Converts every connection error to `unavailable`, because no statement was sent yet. The server may be
      // starting, or its password may have changed.
      throw unreachable(error);
    });
}

export interface ResponseTimeout {
  readonly waitMs?: number;
  /**
   * Time in milliseconds to wait after the response timeout, for reading a response that arrived while the process was
   * suspended.
   */
  readonly graceMs?: number;
  /** Called if the database sent no response in time. The database client must not be used again. */
  readonly onLost?: () => void;
}

/**
 * Rejects if the database does not respond in time. Without this timeout, the service would wait many minutes for a
 * host that has vanished.
 */
export async function withResponseTimeout<T>(
  response: Promise<T>,
  { waitMs = RESPONSE_TIMEOUT_MS, graceMs = 1000, onLost }: ResponseTimeout = {},
): Promise<T> {
  const { promise: timedOut, reject } = Promise.withResolvers<never>();
  function lose(): void {
    onLost?.();
    reject(new Error('the database did not respond'));
  }
  // Starts a plain timer, because an aborted timer of `timers/promises` creates an error for each statement.
  let timer = setTimeout(() => {
    timer = setTimeout(lose, graceMs);
  }, waitMs);
  try {
    return await Promise.race([response, timedOut]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Tracks database clients whose server has vanished. If a statement gets no response, all clients that connected before
 * it was sent count as lost. Clients that connected later stay in use, because their own statements will show whether
 * their server has vanished.
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
    /**
     * Reports that a statement got no response. `sentAt`: time when it was sent, in milliseconds of
     * `performance.now()`.
     */
    reportLost: (sentAt: number): void => {
      lostAt = Math.max(lostAt, sentAt);
    },
  };
}
