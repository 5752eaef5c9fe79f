import { setTimeout as wait } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { isTooManyConnections, unreachable } from './postgres-error.js';

/** Timeout for getting a client from the connection pool, including a new connection. */
export const CONNECT_TIMEOUT_MS = 5000;

/**
 * Timeout for the response to a statement. The server's statement timeout is shorter, so a missing response means a
 * broken connection.
 */
export const RESPONSE_TIMEOUT_MS = 10_000;

/** TCP keepalive settings. The server detects a vanished client machine after 25 s and then releases its locks. */
export const KEEPALIVE_SETTINGS = [
  'tcp_keepalives_idle = 10',
  'tcp_keepalives_interval = 5',
  'tcp_keepalives_count = 3',
] as const;

const FIRST_PAUSE_MS = 25;
const MAX_PAUSE_MS = 400;

/**
 * Gets a client of the connection pool. Retries with backoff while other clients use all connections that the database
 * server allows.
 */
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
 * Gets a client of the connection pool. After a pause of the process, the timeout may pass before arrived responses are
 * read, so the function tries a second time. Throws `unavailable` when no client is available in time.
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
      // Every connection error becomes `unavailable`, because no statement was sent yet. The server may be starting, or
      // have a new password.
      throw unreachable(error);
    });
}

export interface ResponseTimeout {
  readonly waitMs?: number;
  /** Extra time after the response timeout, to read a response that arrived while the process was suspended. */
  readonly graceMs?: number;
  /** Called when the database sent no response in time. The database client must not be used again. */
  readonly onLost?: () => void;
}

/**
 * Rejects when the database does not respond in time. Without this timeout, the service would wait many minutes for a
 * vanished host.
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
  // A plain timer, because an aborted timer of `timers/promises` creates an error for each statement.
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
 * Tracks database clients whose server has vanished. When a statement gets no response, all clients that connected
 * before the statement count as lost. Clients that connected later stay in use; their own statements show whether their
 * server has vanished.
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
     * Reports that a database statement got no response. `sentAt` is the time by `performance.now()` at which the
     * statement was sent.
     */
    reportLost: (sentAt: number): void => {
      lostAt = Math.max(lostAt, sentAt);
    },
  };
}
