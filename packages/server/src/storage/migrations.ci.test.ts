import path from 'node:path';
import { Kysely, sql, type TableMetadata } from 'kysely';
import { Migrator } from 'kysely/migration';
import { Client } from 'pg';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { addOwners, addRows, GROWING_TABLES } from '../../test/support/databases/old-rows.js';
import { newEmptyDatabaseUrl } from '../../test/support/databases/test-database.js';
import { newFolder } from '../../test/support/processes/new-folder.js';
import { rounds } from '../../test/support/runner/rounds.js';
import { openDatabase } from './database.js';
import type { OpenDialect } from './dialect.js';
import type { MigrationDatabase } from './migrations/owned-table.js';
import { createMigrations } from './migrations.js';
import { openPostgres } from './postgres.js';
import { createDialect, openSqlite } from './sqlite.js';
import { openHere } from './sqlite-thread.js';

const ROWS = rounds(1_000_000, 5_000);
const NAMES = Object.keys(createMigrations('sqlite'));
const [FIRST = ''] = NAMES;

/** Opens a database without tables. Returns it with a function that applies migrations up to a given version. */
async function openEmpty() {
  const url = inject('postgres') && (await newEmptyDatabaseUrl());
  const open: OpenDialect = url ? openPostgres({ url }) : await openSqlite({ path: ':memory:' });
  const database: MigrationDatabase = new Kysely({ dialect: open.migrating ?? open.dialect });
  onTestFinished(async () => {
    await database.destroy();
    await open.close();
  });
  const migrations = createMigrations(open.kind);
  const migrator = new Migrator({ db: database, provider: { getMigrations: async () => migrations } });
  const migrateTo = async (name: string) => {
    const { error } = await migrator.migrateTo(name);
    if (error) throw error;
  };
  return { url: url ?? '', database, migrateTo };
}

/**
 * Migrates a SQLite file, and stops after `statements` statements, like a process that is killed. Returns true if the
 * migration completed.
 */
async function migrateKilledAfter(file: string, statements: number): Promise<boolean> {
  const { run, close } = openHere(file);
  let left = statements;
  const runSome: typeof run = async (statement) => {
    left -= 1;
    if (left < 0) throw new Error('killed');
    return run(statement);
  };
  const db: MigrationDatabase = new Kysely({
    dialect: createDialect({ run: runSome, close }, { path: file }),
  });
  const provider = { getMigrations: async () => createMigrations('sqlite') };
  const { error } = await new Migrator({ db, provider }).migrateToLatest();
  await close();
  return error === undefined;
}

/**
 * Lists columns whose change breaks the previous version of the service: columns that are removed, have a new type, are
 * newly not null, or are required on insert.
 */
function lossesOf(before: readonly TableMetadata[], after: readonly TableMetadata[]): readonly string[] {
  return before.flatMap(({ name, columns }) => {
    const later = after.find((table) => table.name === name)?.columns ?? [];
    const changed = columns.filter((column) => {
      const now = later.find((each) => each.name === column.name);
      // Ignores the id, which is never null although SQLite allows a null text as a primary key.
      const mayBeNull = column.isNullable && column.name !== 'id';
      return now?.dataType !== column.dataType || (mayBeNull && !now.isNullable);
    });
    const needed = later.filter(
      (column) =>
        !columns.some((each) => each.name === column.name) && !column.isNullable && !column.hasDefaultValue,
    );
    return [...changed, ...needed].map((column) => `${name}.${column.name}`);
  });
}

test('F10: every migration only adds, so that the previous version can still read and write', async () => {
  const { database, migrateTo } = await openEmpty();
  await migrateTo(FIRST);
  await addOwners(database);
  for (const [index, name] of NAMES.entries()) {
    const before = await database.introspection.getTables();
    await migrateTo(name);
    expect(lossesOf(before, await database.introspection.getTables())).toEqual([]);
    for (const table of GROWING_TABLES)
      await sql.raw(addRows(table, 10 * index, 10 * index + 9)).execute(database);
  }
  for (const table of GROWING_TABLES) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(
      database,
    );
    expect(Number(rows[0]?.count)).toBe(10 * NAMES.length);
  }
});

test.skipIf(inject('postgres') !== undefined)(
  'F10: a start killed while it created the tables does not block the next start',
  async () => {
    for (let statements = 1; ; statements += 5) {
      const file = path.join(newFolder(), 'svc.db');
      const isDone = await migrateKilledAfter(file, statements);
      const { migrated, close } = await openDatabase({ path: file, inThread: false });
      await close();
      expect({ statements, migrated }).toEqual({ statements, migrated: isDone ? [] : NAMES });
      if (isDone) break;
    }
  },
);

describe.skipIf(inject('postgres') === undefined)('F10: migrations under traffic', () => {
  test(`hold no lock for a second on ${ROWS} rows in each growing table`, async () => {
    const { url, database, migrateTo } = await openEmpty();
    await migrateTo(FIRST);
    await addOwners(database);
    for (const table of GROWING_TABLES) await sql.raw(addRows(table, 1, ROWS)).execute(database);
    const writer = new Client({ connectionString: url });
    await writer.connect();
    onTestFinished(() => writer.end());
    await writer.query("set lock_timeout = '1s'");

    let isOver = false;
    const opening = openDatabase({ url }).finally(() => {
      isOver = true;
    });
    let written = 0;
    while (!isOver || written < 10) {
      written += 1;
      for (const table of GROWING_TABLES) await writer.query(addRows(table, ROWS + written));
    }
    const opened = await opening;
    onTestFinished(opened.close);
    expect(opened.migrated).toEqual(NAMES.slice(1));
  }, 600_000);
});
