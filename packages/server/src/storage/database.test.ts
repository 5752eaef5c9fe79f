import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { Client } from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { newDatabaseUrl } from '../../test/support/databases/test-database.js';
import { newFolder } from '../../test/support/processes/new-folder.js';
import { createDatabaseClock, openDatabase } from './database.js';
import { createStorage } from './storage.js';

const temporaryFile = (): string => path.join(newFolder(), 'svc.db');

test('a reopened database has its stored values', async () => {
  const file = temporaryFile();
  const first = await openDatabase({ path: file });
  await createStorage(first.database).settings.insertIfAbsent('colour', 'blue');
  await first.close();

  const second = await openDatabase({ path: file });
  onTestFinished(second.close);
  expect(await createStorage(second.database).settings.insertIfAbsent('colour', 'red')).toBe('blue');
});

test.each([{ existing: true }, { existing: false }])(
  'the file of another program is not changed: $existing',
  async (options) => {
    const file = temporaryFile();
    new Sqlite(file).exec('create table users (id int)').close();
    const before = readFileSync(file);
    await expect(openDatabase({ path: file, ...options })).rejects.toThrow(
      /contains tables of another program\)\. Set SVC_DATA to another folder\.$/,
    );
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(globSync(`${file}-*`)).toEqual([]);
  },
);

test('no tables are created in a database that must already exist', async () => {
  const file = temporaryFile();
  await expect(openDatabase({ path: file, existing: true })).rejects.toThrow(/has no tables of the service/);
});

test('a database of a later version is refused', async () => {
  const file = temporaryFile();
  await (await openDatabase({ path: file })).close();
  new Sqlite(file).exec("insert into kysely_migration values ('999_later', '2027-01-01')").close();
  await expect(openDatabase({ path: file })).rejects.toMatchObject({
    name: 'ServiceError',
    message: expect.stringContaining('a later version of the service'),
  });
});

test('commits are synchronous in a write-ahead log with foreign keys', async () => {
  const { database, close } = await openDatabase({ path: temporaryFile() });
  onTestFinished(close);
  const pragma = async (name: string) =>
    Object.values(
      (await sql.raw<Record<string, unknown>>(`pragma ${name}`).execute(database)).rows[0] ?? {},
    )[0];
  expect(await pragma('journal_mode')).toBe('wal');
  expect(await pragma('synchronous')).toBe(2);
  expect(await pragma('foreign_keys')).toBe(1);
});

test('K7: deleted values are removed from every file', async () => {
  const file = temporaryFile();
  const ciphertext = 'v1.key_0123456789.'.padEnd(1000, 'c1pherText');
  const { database, close } = await openDatabase({ path: file });
  const settings = createStorage(database).settings;
  for (let row = 0; row < 20; row += 1) await settings.insertIfAbsent(`row ${row}`, `${row} ${ciphertext}`);
  await sql`delete from settings`.execute(database);
  await close();
  const left = globSync(`${path.dirname(file)}/*`).filter((each) =>
    readFileSync(each, 'latin1').includes('c1pherText'),
  );
  expect(left).toEqual([]);
});

test('a file that another process of the service uses is refused', async () => {
  const file = temporaryFile();
  const first = await openDatabase({ path: file });
  onTestFinished(first.close);
  await expect(openDatabase({ path: file, lockTimeoutMs: 1 })).rejects.toThrow(
    /Another process of the service uses .*svc\.db\. Stop it/,
  );
});

test.skipIf(inject('postgres') === undefined).each(['used', 'not used'])(
  'closing leaves no connection to PostgreSQL open: %s',
  async (how) => {
    const url = (await newDatabaseUrl()) ?? '';
    const { lock, innerLock, close } = await openDatabase({ url });
    if (how === 'used') await lock('one', () => innerLock('another', async () => undefined));
    await close();
    const client = new Client({ connectionString: url });
    await client.connect();
    onTestFinished(() => client.end());
    const others =
      "select 1 from pg_stat_activity where datname = current_database() and application_name = 'svc-server'";
    // Polls for 5 s, because PostgreSQL notices a closed connection late. A connection that the service failed to close
    // would remain for 10 s.
    await expect.poll(async () => (await client.query(others)).rowCount, { timeout: 5000 }).toBe(0);
  },
);

/**
 * Simulates a machine whose clock is 10,000 s behind the clock of its database. The database responds after
 * `times.latencyMs` milliseconds.
 */
function createTimes() {
  const times = { local: 1_799_990_000_000, database: 1_800_000_000_000, latencyMs: 0 };
  const pass = (ms: number) => {
    times.local += ms;
    times.database += ms;
  };
  const read = async () => {
    pass(times.latencyMs / 2);
    const read = times.database;
    pass(times.latencyMs / 2);
    return read;
  };
  return { times, pass, clock: createDatabaseClock({ read, local: () => times.local }) };
}

test('R9: the time comes from the database, whatever the clock of the machine', async () => {
  const { times, pass, clock } = createTimes();
  times.latencyMs = 80;
  await clock.follow();
  pass(60_000);
  expect(clock.now()).toBe(times.database);
});

test('R9: a changed clock of the database is followed', async () => {
  const { times, clock } = createTimes();
  await clock.follow();
  times.database += 300_000;
  await clock.follow();
  expect(clock.now()).toBe(times.database);
});

test('R9: a slow response does not change the time', async () => {
  const { times, clock } = createTimes();
  await clock.follow();
  times.latencyMs = 60_000;
  times.database += 7000;
  await clock.follow();
  expect(clock.now()).toBe(times.database - 7000);
});

test.each([
  { url: 'postgres://svc:hush@127.0.0.1:1/svc', named: 'The database 127.0.0.1:1/svc cannot be used (' },
  {
    url: 'postgres://svc:hush@localhost:1/svc',
    named: 'The database localhost:1/svc cannot be used (connect ECONNREFUSED ',
  },
  { url: 'postgres://svc:hush@127.0.0.1:1/', named: 'The database of DATABASE_URL cannot be used (' },
])('a database that cannot be used is named without its password: $named', async ({ url, named }) => {
  const error = await openDatabase({ url, connections: 4 }).catch((thrown: Error) => thrown);
  expect(error).toMatchObject({ message: expect.stringContaining(named) });
  expect(String(error)).not.toContain('hush');
});
