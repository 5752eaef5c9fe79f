import type { Pool, PoolClient } from 'pg';
import { createFairSemaphore } from '../concurrency/fair-semaphore.js';
import { ServiceError } from '../errors.js';
import { createLock, type Lock } from './lock.js';
import { connectTo, KEEPALIVE_SETTINGS, withResponseTimeout } from './postgres-client.js';
import { isLockTimeout, isReadOnly, translateErrors } from './postgres-error.js';

export interface RowLockOptions {
  /** Number of database clients for locks. Each locked or awaited lock name occupies one client. */
  readonly connections: number;
  /** Maximum time to wait for a lock, in milliseconds, over all attempts. */
  readonly waitMs?: number;
}

// Maximum time to wait for a lock, in milliseconds. Longer than a token request to an authorization server, so that a
// waiting request sees the result of the token refresh.
const WAIT_MS = 25_000;
// Duration of one attempt to get a lock. Afterwards the waiting request releases its database client and queues again,
// so that other waiting requests get a client.
const ATTEMPT_MS = 2000;
// Milliseconds that work may continue after its lock was lost: the longest token request to an authorization server,
// including a client registration, plus the commit after it.
const GRACE_MS = 15_000;

/**
 * Begins a lock transaction without timeouts. A suspended process could lose the lock to a timeout during a token
 * request, and another process would use the refresh token a second time. TCP keepalive still detects a vanished
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

/** Tries to get the lock of a name. Returns `false` when another transaction had the lock for the whole attempt. */
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
 * Creates a lock based on rows that are never committed. Inserting the same name waits until the other transaction
 * ends. The database releases the lock when the process or its connection ends, never by a timeout.
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
