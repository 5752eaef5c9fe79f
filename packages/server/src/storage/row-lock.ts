import type { Pool, PoolClient } from 'pg';
import { createFairSemaphore } from '../concurrency/fair-semaphore.js';
import { ServiceError } from '../errors.js';
import { createLock, type Lock } from './lock.js';
import { connectTo, KEEPALIVE_SETTINGS, withResponseTimeout } from './postgres-client.js';
import { isLockTimeout, isReadOnly, translateErrors } from './postgres-error.js';

export interface RowLockOptions {
  /** Number of database clients for locks. Each lock that is held or waited for occupies one client. */
  readonly connections: number;
  /** Maximum time in milliseconds to wait for a lock, over all attempts. */
  readonly waitMs?: number;
}

// Maximum time in milliseconds to wait for a lock. It is longer than a token request to an authorization server, so
// that a waiting caller sees the result of the token refresh.
const WAIT_MS = 25_000;
// Duration in milliseconds of one attempt to get a lock. Afterwards the caller releases its database client and queues
// again, so that other waiting callers get a client.
const ATTEMPT_MS = 2000;
// Time in milliseconds for which work may continue after its lock was lost. It covers one token request to an
// authorization server (TIMEOUT_MS in oauth/oauth.ts), and the commit that follows. Before a second token request, a
// refresh stores its start again, and ends if another process has started one.
const GRACE_MS = 15_000;

/**
 * Begins a transaction that holds a lock, without timeouts. If a timeout took the lock from a suspended process during
 * a token request, another process would use the refresh token a second time. TCP keepalive still detects a vanished
 * machine.
 */
const BEGIN = `begin;
set local idle_in_transaction_session_timeout = 0;
set local statement_timeout = 0;
${KEEPALIVE_SETTINGS.map((setting) => `set local ${setting};`).join('\n')}
set local lock_timeout = ${ATTEMPT_MS};
select set_config('transaction_timeout', '0', true) where current_setting('transaction_timeout', true) is not null`;

const unavailable = (message: string) =>
  new ServiceError('unavailable', message, { retryAfter: 1, reason: 'storage' });
const stillLocked = () =>
  unavailable('Another request is still changing the same object. Retry in a few seconds.');
const tooBusy = () =>
  unavailable('Too many requests of this application wait to change objects. Retry in a few seconds.');

/** Tries to get the lock with this name. Returns false if another transaction held it during the whole attempt. */
async function lockName(client: PoolClient, name: string): Promise<boolean> {
  const insert = `insert into held_names (name) values (${client.escapeLiteral(name)})`;
  try {
    await withResponseTimeout(client.query(`${BEGIN};\n${insert}`));
    return true;
  } catch (error) {
    if (isLockTimeout(error)) return false;
    return translateErrors(Promise.reject(error));
  }
}

async function withClient<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await connectTo(pool);
  let isUseless = false;
  try {
    return await work(client);
  } catch (error) {
    isUseless = isReadOnly(error);
    throw error;
  } finally {
    const isBroken = await withResponseTimeout(client.query('rollback')).then(
      () => false,
      () => true,
    );
    client.release(isBroken || isUseless);
  }
}

/**
 * Creates a lock that is based on rows which are never committed. A transaction that inserts the same name waits until
 * the other transaction ends. The database releases the lock when the process or its connection ends, and never by a
 * timeout.
 */
export function createRowLock(pool: Pool, { connections, waitMs = WAIT_MS }: RowLockOptions): Lock {
  const lockInProcess = createLock();
  const withPermit = createFairSemaphore(connections);

  async function runLocked<T>(name: string, work: () => Promise<T>, owner: string): Promise<T> {
    const deadline = performance.now() + waitMs;
    let wasAttempted = false;
    const attempt = () => {
      wasAttempted = true;
      return withClient(pool, async (client) =>
        (await lockName(client, name)) ? { outcome: await work() } : undefined,
      );
    };
    while (performance.now() < deadline) {
      const done = await withPermit(owner, attempt, deadline - performance.now());
      if (done) return done.outcome;
    }
    throw wasAttempted ? stillLocked() : tooBusy();
  }

  function lock<T>(name: string, work: () => Promise<T>, owner = ''): Promise<T> {
    return lockInProcess(name, () => runLocked(name, work, owner));
  }
  return Object.assign(lock, { graceMs: GRACE_MS });
}
