import { type Dialect, Kysely, sql } from 'kysely';
import { Client } from 'pg';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { newDatabaseUrl, openTestDatabase } from '../../test/support/databases/test-database.js';
import { indexesOf as expectedOf } from './add-indexes.js';
import { openDatabase } from './database.js';
import { openPostgres } from './postgres.js';
import type { Database } from './schema.js';

const insertEvent = (id: string) =>
  `insert into audit_events (id, at, actor, action, object, result) values ('${id}', 1, 'a', 'b', 'c', 'done')`;

const expected = expectedOf(inject('postgres') ? 'postgres' : 'sqlite');

async function indexesOf(database: Database): Promise<readonly string[]> {
  const of = inject('postgres')
    ? sql<{
        name: string;
      }>`select relname as name from pg_index join pg_class on oid = indexrelid where indisvalid`
    : sql<{ name: string }>`select name from sqlite_master where type = 'index'`;
  const { rows } = await of.execute(database);
  const names = expected.map(({ name }) => name);
  return rows.map(({ name }) => name).filter((name) => names.includes(name));
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

test('F10: an open database has every index', async () => {
  const { database } = await openTestDatabase();
  expect([...(await indexesOf(database))].sort()).toEqual(expected.map(({ name }) => name).sort());
});

describe.skipIf(inject('postgres') === undefined)('F10: an index of a table in use', () => {
  test('is created while others write, after a longer transaction', async () => {
    const url = (await newDatabaseUrl()) ?? '';
    const [long, writer] = [await connect(url), await connect(url)];
    await writer.query('drop index audit_events_of_application');
    await long.query('begin');
    await long.query(insertEvent('audit_long'));
    await writer.query("set lock_timeout = '1s'");

    let isOpen = false;
    const opening = openDatabase({ url }).then((opened) => {
      isOpen = true;
      return opened;
    });
    const isWaiting = async () =>
      (
        await writer.query(
          "select 1 from pg_stat_activity where query like 'create index%' and wait_event is not null",
        )
      ).rowCount;
    await expect.poll(isWaiting, { timeout: 20_000 }).toBe(1);
    for (let row = 0; row < 20; row += 1) await writer.query(insertEvent(`audit_${row}`));
    expect(isOpen).toBe(false);
    await long.query('commit');

    const { database, close } = await opening;
    onTestFinished(close);
    expect(await indexesOf(database)).toContain('audit_events_of_application');
  });

  test('is recreated by one of several instances after an interrupted creation', async () => {
    const url = (await newDatabaseUrl()) ?? '';
    const client = await connect(url);
    await client.query(
      "update pg_index set indisvalid = false where indexrelid = 'audit_events_of_application'::regclass",
    );
    const opened = await Promise.all([openDatabase({ url }), openDatabase({ url }), openDatabase({ url })]);
    for (const { close } of opened) onTestFinished(close);
    const [first] = opened;
    expect(first && (await indexesOf(first.database))).toHaveLength(expected.length);
  });

  test('does not wait long for a machine that vanished', async () => {
    const { migrating, close } = openPostgres({ url: (await newDatabaseUrl()) ?? '' });
    onTestFinished(close);
    const database = new Kysely({ dialect: migrating as Dialect });
    const { rows } = await sql`
      select name, setting from pg_settings where name like 'tcp_keepalives_%' order by name`.execute(
      database,
    );
    expect(rows).toEqual([
      { name: 'tcp_keepalives_count', setting: '3' },
      { name: 'tcp_keepalives_idle', setting: '10' },
      { name: 'tcp_keepalives_interval', setting: '5' },
    ]);
  });
});
