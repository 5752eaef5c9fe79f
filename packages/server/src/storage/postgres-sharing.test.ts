import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { onServer } from '../../test/support/databases/postgres-databases.js';
import { newDatabaseUrl, newEmptyDatabaseUrl } from '../../test/support/databases/test-database.js';
import { openDatabase } from './database.js';
import { createStorage } from './storage.js';

const withOptions = (url: string, options: string): string => {
  const changed = new URL(url);
  changed.searchParams.set('options', options);
  return changed.href;
};

describe.skipIf(inject('postgres') === undefined)('a shared PostgreSQL', () => {
  test('makes the service wait for a connection when its role has fewer than configured', async () => {
    const url = (await newDatabaseUrl()) ?? '';
    const role = `few_${randomUUID().replaceAll('-', '')}`;
    await onServer(url, `create role ${role} login password 'few' connection limit 17`);
    await onServer(url, `grant all on all tables in schema public to ${role}`);
    onTestFinished(async () => void (await onServer(url, `drop owned by ${role}; drop role ${role}`)));
    const limited = Object.assign(new URL(url), { username: role, password: 'few' }).href;
    const open = await openDatabase({ url: limited, connections: 40 });
    onTestFinished(open.close);
    const { settings } = createStorage(open.database);
    const names = Array.from({ length: 60 }, (_, index) => `name ${index}`);
    const hold = sql`select pg_sleep(0.05)`;
    await Promise.all(
      names.map(async (name) => {
        await hold.execute(open.database);
        await settings.insertIfAbsent(name, 'value');
      }),
    );
    expect(await Promise.all(names.map(settings.find))).toEqual(names.map(() => 'value'));
  });

  test('can have the tables in their own schema next to another program with the same migration tables', async () => {
    const url = await newEmptyDatabaseUrl();
    await onServer(
      url,
      `create schema theirs; create schema ours;
       create table theirs.kysely_migration (name text primary key, timestamp text);
       insert into theirs.kysely_migration values ('theirs', '');
       create table theirs.kysely_migration_lock (id text primary key, is_locked integer)`,
    );
    const own = withOptions(url, '-c search_path=ours');
    const first = await openDatabase({ url: own });
    await first.close();
    expect(first.migrated).not.toEqual([]);
    const again = await openDatabase({ url: own });
    onTestFinished(again.close);
    expect(again.migrated).toEqual([]);
    const schemas = await onServer<{ schema: string }>(
      url,
      `select distinct table_schema as schema from information_schema.tables where table_name = 'accounts'`,
    );
    expect(schemas).toEqual([{ schema: 'ours' }]);
    const names = await onServer(url, 'select name from theirs.kysely_migration');
    expect(names).toEqual([{ name: 'theirs' }]);
  });

  test('gets the session settings of the service together with those of DATABASE_URL', async () => {
    const url = withOptions((await newDatabaseUrl()) ?? '', '-c work_mem=8MB');
    const { database, close } = await openDatabase({ url });
    onTestFinished(close);
    const { rows } = await sql`
      select current_setting('work_mem') as memory, current_setting('statement_timeout') as timeout`.execute(
      database,
    );
    expect(rows).toEqual([{ memory: '8MB', timeout: '9s' }]);
  });
});
