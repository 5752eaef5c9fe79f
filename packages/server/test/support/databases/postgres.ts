import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../../src/storage/database.js';
import { addDatabase, onServer } from './postgres-databases.js';
import { startPostgres } from './postgres-server.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** PostgreSQL server for test databases; absent if the tests use SQLite. */
    readonly postgres: TestPostgres | undefined;
  }
}

export interface TestPostgres {
  readonly url: string;
  /** Prefix of the database names of this test run. */
  readonly prefix: string;
  /** Template database with all tables. Each test gets a copy, so that the tables are created only once. */
  readonly template: string;
  /** Fingerprint of the template's tables. A database with another fingerprint has tables that a test has changed. */
  readonly shape: string;
}

// PostgreSQL settings that trade durability for speed, because the test databases are discarded after the run.
const HASTY = [
  ...['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'],
  // Disables autovacuum, which would examine each of hundreds of test databases once a minute.
  ...['autovacuum=off', 'max_connections=500'],
];

const newName = ({ prefix }: TestPostgres): string => prefix + randomBytes(8).toString('hex');

export const createDatabase = (postgres: TestPostgres): Promise<string> =>
  addDatabase(postgres.url, newName(postgres), postgres.template);

/** Creates a database without tables, as operators provide it for the first start of the service. */
export const createEmptyDatabase = (postgres: TestPostgres): Promise<string> =>
  addDatabase(postgres.url, newName(postgres));

// PostgreSQL system tables that record changes of tables, indexes, keys and triggers. Each change leaves a row with a
// higher `xmin`, and a copied database has the `xmin` of its template.
const CATALOGUES = ['pg_class', 'pg_attribute', 'pg_constraint', 'pg_index', 'pg_trigger', 'pg_proc'];
const SHAPE = `select concat_ws('/', ${CATALOGUES.map(
  (name) => `(select concat(max(xmin::text::bigint), ' of ', count(*)) from ${name})`,
).join()}) as shape`;

// SQL that deletes all rows without foreign key checks and triggers, as on a replica. The lock timeout detects a
// transaction that a test left open.
const EMPTY = `set lock_timeout = '2s'; set session_replication_role = replica;
do $$ declare name text; begin
  for name in select tablename from pg_tables where schemaname = 'public' and tablename not like 'kysely%' loop
    execute format('delete from %I', name);
  end loop;
end $$`;

/** Creates the function that empties a test database. It keeps its connection open, so that each call is fast. */
export async function createEmptying({ shape }: TestPostgres, url: string): Promise<() => Promise<boolean>> {
  const client = new Client({ connectionString: url });
  await client.connect();
  /** Deletes all rows. Returns false and closes the connection if the tables have changed or a lock is taken. */
  return async () => {
    try {
      const { rows } = await client.query<{ shape: string }>(SHAPE);
      if (rows[0]?.shape !== shape) throw new Error('The tables are others.');
      await client.query(EMPTY);
      return true;
    } catch {
      await client.end();
      return false;
    }
  };
}

/** Returns the names of the database's tables, without system tables. */
export async function tablesIn(url: string): Promise<readonly string[]> {
  const rows = await onServer<{ name: string }>(
    url,
    "select table_name as name from information_schema.tables where table_schema = 'public'",
  );
  return rows.map(({ name }) => name);
}

async function dropDatabases({ url, prefix }: TestPostgres): Promise<void> {
  const databases = await onServer<{ datname: string }>(url, 'select datname from pg_database');
  for (const { datname } of databases) {
    if (datname.startsWith(prefix)) await onServer(url, `drop database ${datname} with (force)`);
  }
}

/**
 * Starts PostgreSQL for a test run. If `TEST_DATABASE_URL` is set, uses that server and drops the test databases at the
 * end.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env['TEST_DATABASE_URL'];
  const server = given === undefined ? await startPostgres(HASTY) : { url: given, stop: async () => {} };
  const prefix = `svc_test_${randomBytes(4).toString('hex')}_`;
  const template = `${prefix}template`;
  const url = await addDatabase(server.url, template);
  await (await openDatabase({ url })).close();
  const [{ shape } = { shape: '' }] = await onServer<{ shape: string }>(url, SHAPE);
  const postgres = { url: server.url, prefix, template, shape };
  project.provide('postgres', postgres);
  return async () => {
    if (given !== undefined) await dropDatabases(postgres);
    await server.stop();
  };
}
