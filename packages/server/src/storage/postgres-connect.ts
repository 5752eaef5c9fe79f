import type { Pool, PoolClient } from 'pg';
import { unreachable } from './postgres-error.js';

/** For a connection, a free one or a new one. */
export const CONNECT_TIMEOUT_MS = 5000;

/** Settings by which the server notices a machine that is gone: after 25 s of silence, and gives up what it held. */
export const NOTICE_SILENCE = [
  'tcp_keepalives_idle = 10',
  'tcp_keepalives_interval = 5',
  'tcp_keepalives_count = 3',
] as const;

/**
 * A process that stood still runs out of this time before it looks at what has arrived: then it asks once more.
 * Throws `unavailable` when there is no connection in time.
 */
export async function connectTo(pool: Pool): Promise<PoolClient> {
  const asked = performance.now();
  const hasStoodStill = () => performance.now() - asked > 2 * CONNECT_TIMEOUT_MS;
  return pool
    .connect()
    .catch((error: unknown) => {
      if (hasStoodStill()) return pool.connect();
      throw error;
    })
    .catch((error: unknown) => {
      // Whatever a server says to whoever comes, such as one that starts or has another password, nothing was asked yet.
      throw unreachable(error);
    });
}
