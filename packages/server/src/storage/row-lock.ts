import type { Pool, PoolClient } from 'pg';
import { createFairSemaphore } from '../concurrency/fair-semaphore.js';
import { ServiceError } from '../errors.js';
import { createLock, type Lock } from './lock.js';
import { answered } from './postgres-answer.js';
import { connectTo, NOTICE_SILENCE } from './postgres-connect.js';
import { isLockTimeout, isReadOnly, translated } from './postgres-error.js';

export interface RowLockOptions {
  /** Of the pool: so many names are held or waited for at a time. */
  readonly connections: number;
  /** How long to wait for a name altogether. */
  readonly waitMs?: number;
}

// Longer than an exchange with an authorization server may take, so that who waits sees its outcome.
const WAIT_MS = 25_000;
// Then who waits lets others have its connection, and gets in line again.
const TURN_MS = 2000;
// The longest exchange with an authorization server, registering again included, and the commit after it.
const GRACE_MS = 15_000;

/**
 * No clock of the database may end this transaction: its holder can stand still in the middle of an exchange, and whoever took
 * the name from it would use a token a second time. A machine that is gone is noticed by its connection.
 */
const BEGIN = `begin;
set local idle_in_transaction_session_timeout = 0;
set local statement_timeout = 0;
${NOTICE_SILENCE.map((setting) => `set local ${setting};`).join('\n')}
set local lock_timeout = ${TURN_MS};
select set_config('transaction_timeout', '0', true) where current_setting('transaction_timeout', true) is not null`;

const unavailable = (message: string) => new ServiceError('unavailable', message, { retryAfter: 1 });
const stillHeld = () => unavailable('Another instance is still at work on this. Try again shortly.');
const tooBusy = () =>
  unavailable('This application has too much of this under way at once. Try again shortly.');

/** Whether the name is ours now: it is not when it was somebody else's for the whole turn. */
async function take(client: PoolClient, name: string): Promise<boolean> {
  await translated(answered(client.query(BEGIN)));
  try {
    await answered(client.query('insert into held_names (name) values ($1)', [name]));
    return true;
  } catch (error) {
    if (isLockTimeout(error)) return false;
    return translated(Promise.reject(error));
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
    const isBroken = await answered(client.query('rollback')).then(
      () => false,
      () => true,
    );
    client.release(isBroken || isUseless);
  }
}

/**
 * A row that exists only while it is held: its insertion waits for whoever inserted it before, and is never committed.
 * The database releases it when the process or its connection ends, and not by a clock.
 */
export function createRowLock(pool: Pool, { connections, waitMs = WAIT_MS }: RowLockOptions): Lock {
  const inProcess = createLock();
  const slots = createFairSemaphore(connections);

  async function hold<T>(name: string, work: () => Promise<T>, owner: string): Promise<T> {
    const deadline = performance.now() + waitMs;
    const turn = (client: PoolClient) =>
      take(client, name).then(async (isMine) => (isMine ? { outcome: await work() } : undefined));
    let hadTurn = false;
    const takeTurn = () => {
      hadTurn = true;
      return withClient(pool, turn);
    };
    while (performance.now() < deadline) {
      const done = await slots(owner, takeTurn, deadline - performance.now());
      if (done) return done.outcome;
    }
    throw hadTurn ? stillHeld() : tooBusy();
  }

  const lock = <T>(name: string, work: () => Promise<T>, owner = '') =>
    inProcess(name, () => hold(name, work, owner));
  return Object.assign(lock, { graceMs: GRACE_MS });
}
