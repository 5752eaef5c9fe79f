import { Client } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { newDatabaseUrl } from '../../test/support/databases/test-database.js';
import { openDatabase } from './database.js';

const url = (await newDatabaseUrl()) ?? '';

/** Opens the database as a separate instance of the service would do, and returns its lock function. */
async function openInstance(given: string) {
  const { lock, close } = await openDatabase({ url: given, connections: 5 });
  onTestFinished(close);
  return lock;
}

async function openClient(given: string): Promise<Client> {
  const client = new Client({ connectionString: given });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

const HOLDERS = `select pid from pg_stat_activity
  where datname = current_database() and state = 'idle in transaction'`;

/**
 * Creates work that runs while a lock is held. `begun` resolves when the work starts. The work ends when the test calls
 * `end`.
 */
function createWork() {
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const work = async () => {
    begun.resolve();
    await ended.promise;
    return 'done';
  };
  return { work, begun: begun.promise, end: ended.resolve };
}

describe.skipIf(url === '')('a row lock of another instance', () => {
  test('R2: is waited for', async () => {
    const [one, other] = [await openInstance(url), await openInstance(url)];
    const { work, begun, end } = createWork();
    const seen: string[] = [];
    const first = one('acct_1', async () => seen.push(await work()));
    await begun;
    const second = other('acct_1', async () => seen.push('second'));
    // Waits 2.5 s, so that the second instance makes two attempts to get the lock.
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect(seen).toEqual([]);
    end();
    await Promise.all([first, second]);
    expect(seen).toEqual(['done', 'second']);
  });

  test('R2: does not block other names, even with more waiters than connections', async () => {
    const [one, other] = [await openInstance(url), await openInstance(url)];
    const { work, begun, end } = createWork();
    const first = one('acct_1', work);
    await begun;
    const names = Array.from({ length: 10 }, (_, index) => `acct_1${index}`);
    const second = other('acct_1', async () => 'second');
    expect(await Promise.all(names.map((name) => other(name, async () => name)))).toEqual(names);
    end();
    expect(await Promise.all([first, second])).toEqual(['done', 'second']);
  });

  test('F5: does not delay other applications, however many locks one waits for', async () => {
    const { lock, innerLock, close } = await openDatabase({ url, connections: 10 });
    onTestFinished(close);
    for (const each of [lock, innerLock]) {
      const { work, begun, end } = createWork();
      const names = Array.from({ length: 10 }, (_, index) => `acct_3${index}`);
      const busy = names.map((name) => each(name, work, 'app_busy'));
      await begun;
      onTestFinished(() => end());
      const seen: string[] = [];
      const other = each('acct_40', async () => seen.push('another'), 'app_other');
      await expect.poll(() => seen).toEqual(['another']);
      end();
      await Promise.all([other, ...busy]);
    }
  });

  test('R2: leaves connections for inner locks, however many outer locks are taken', async () => {
    const { lock, innerLock, close } = await openDatabase({ url, connections: 5 });
    onTestFinished(close);
    const names = Array.from({ length: 10 }, (_, index) => `acct_2${index}`);
    const both = (name: string) => lock(name, () => innerLock('conn_1', async () => name));
    expect(await Promise.all(names.map(both))).toEqual(names);
  });

  test.each(['idle_in_transaction_session_timeout', 'transaction_timeout', 'statement_timeout'])(
    'R2: is not released by %s in any database configuration',
    async (setting) => {
      const own = await newDatabaseUrl();
      if (own === undefined) return;
      const client = await openClient(own);
      await client.query(`alter database ${new URL(own).pathname.slice(1)} set ${setting} = '300ms'`);
      const [one, other] = [await openInstance(own), await openInstance(own)];
      const { work, begun, end } = createWork();
      const seen: string[] = [];
      const first = one('acct_1', async () => seen.push(await work()));
      await begun;
      const second = other('acct_1', async () => seen.push('second'));
      await new Promise((resolve) => setTimeout(resolve, 900));
      end();
      await Promise.all([first, second]);
      expect(seen).toEqual(['done', 'second']);
    },
  );

  test('R2: is released when the connection of its owner breaks during the work', async () => {
    const own = await newDatabaseUrl();
    if (own === undefined) return;
    const [one, other] = [await openInstance(own), await openInstance(own)];
    const client = await openClient(own);
    const { work, begun, end } = createWork();
    const first = one('acct_1', work);
    await begun;
    const { rows } = await client.query<{ pid: number }>(HOLDERS);
    expect(rows).toHaveLength(1);
    await client.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
    expect(await other('acct_1', async () => 'second')).toBe('second');
    end();
    expect(await first).toBe('done');
    expect(await one('acct_1', async () => 'third')).toBe('third');
  });
});

test.skipIf(url === '')('R2: a closed database is unavailable at once', async () => {
  const { lock, close } = await openDatabase({ url, connections: 2 });
  await close();
  await expect(lock('acct_1', async () => 'never')).rejects.toMatchObject({ code: 'unavailable' });
});
