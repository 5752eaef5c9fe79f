import { sql } from 'kysely';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { addDatabase, onServer } from '../../test/support/databases/postgres-databases.js';
import { newDatabaseUrl, openTestDatabase } from '../../test/support/databases/test-database.js';
import { type OpenDatabase, openDatabase } from './database.js';
import { createStorage } from './storage.js';

describe.skipIf(inject('postgres') === undefined)('an error of PostgreSQL', () => {
  test.each([
    { title: 'a deadlock', state: '40P01', code: 'unavailable' },
    { title: 'too many connections', state: '53300', code: 'unavailable' },
    { title: 'a statement timeout', state: '57014', code: 'unavailable' },
    { title: 'a read-only server', state: '25006', code: 'unavailable' },
    { title: 'a lock timeout', state: '55P03', code: 'unavailable' },
    { title: 'a transaction timeout', state: '25P04', code: 'unavailable' },
    { title: 'a deleted owner', state: '23503', code: 'conflict' },
    { title: 'a syntax error', state: '42601', code: '42601' },
  ])('becomes $code for $title', async ({ state, code }) => {
    const { database } = await openTestDatabase();
    const raise = sql.raw(`do $$ begin raise exception 'x' using errcode = '${state}'; end $$`);
    await expect(raise.execute(database)).rejects.toMatchObject({ code });
  });

  const writes = {
    'the question whether it is ready': ({ database }: OpenDatabase) =>
      createStorage(database).settings.ping('ready_test'),
    'a query': ({ database }: OpenDatabase) =>
      createStorage(database).settings.insertIfAbsent('colour', 'blue'),
    'a transaction': ({ database }: OpenDatabase) =>
      createStorage(database).transaction(({ settings }) => settings.insertIfAbsent('colour', 'blue')),
    'a lock': ({ lock }: OpenDatabase) => lock('acct_1', async () => 'mine'),
  };
  test.each(Object.entries(writes))(
    'F6: a client of a read-only server is discarded by %s',
    async (_, write) => {
      const url = (await newDatabaseUrl()) ?? '';
      const database = new URL(url).pathname.slice(1);
      const setReadOnly = (value: 'on' | 'off') =>
        onServer(
          inject('postgres')?.url ?? '',
          `alter database ${database} set default_transaction_read_only = ${value}`,
        );
      await setReadOnly('on');
      const open = await openDatabase({ url, connections: 1 });
      onTestFinished(open.close);
      await expect(write(open)).rejects.toMatchObject({ code: 'unavailable' });
      await setReadOnly('off');
      // Ignores a failure of the first write, because the client in the pool connected while the database was
      // read-only.
      await write(open).catch(() => undefined);
      await write(open);
    },
  );

  test('F6: is unavailable when the server refuses every client', async () => {
    const url = (await newDatabaseUrl()) ?? '';
    const own = await addDatabase(url, `${new URL(url).pathname.slice(1)}_gone`);
    const { database, lock, close } = await openDatabase({ url: own });
    onTestFinished(close);
    await onServer(url, `drop database ${new URL(own).pathname.slice(1)} with (force)`);
    await expect
      .poll(() =>
        createStorage(database)
          .settings.ping('ready_test')
          .catch(({ code }) => code),
      )
      .toBe('unavailable');
    await expect(lock('acct_1', async () => 'never')).rejects.toMatchObject({ code: 'unavailable' });
  });
});
