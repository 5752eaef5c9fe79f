import { Kysely, sql, type TableMetadata } from 'kysely';
import { Migrator } from 'kysely/migration';
import { Client } from 'pg';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { addOwners, addRows, GROWING_TABLES } from '../../test/support/old-rows.js';
import { rounds } from '../../test/support/rounds.js';
import { newEmptyDatabaseUrl } from '../../test/support/test-database.js';
import { openDatabase } from './database.js';
import { executionsOfBeforeTable } from './executions-of-before-table.js';
import type { Migrating } from './first-tables/owned.js';
import { createMigrations } from './migrations.js';
import type { OpenDialect } from './open-dialect.js';
import { openPostgres } from './postgres.js';
import type { Schema } from './schema.js';
import { openSqlite } from './sqlite.js';

const ROWS = rounds(1_000_000, 5_000);
const NAMES = Object.keys(createMigrations('sqlite'));
const [FIRST = ''] = NAMES;

/** A database without tables, and what takes it to a version. */
async function openEmpty() {
  const url = inject('postgres') && (await newEmptyDatabaseUrl());
  const open: OpenDialect = url ? openPostgres({ url }) : await openSqlite({ path: ':memory:' });
  const database: Migrating = new Kysely({ dialect: open.migrating ?? open.dialect });
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

/** What a version that knows only the tables before could not do with those after. */
function lossesOf(before: readonly TableMetadata[], after: readonly TableMetadata[]): readonly string[] {
  return before.flatMap(({ name, columns }) => {
    const later = after.find((table) => table.name === name)?.columns ?? [];
    const changed = columns.filter((column) => {
      const now = later.find((each) => each.name === column.name);
      // A key is always given: SQLite alone lets one of text be null, unless it says otherwise.
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

async function moveExecutions(database: Migrating): Promise<void> {
  const executionsOfBefore = executionsOfBeforeTable(database.withTables<Pick<Schema, keyof Schema>>());
  if (!(await executionsOfBefore.areThere())) return;
  while ((await executionsOfBefore.moveSome(3)) > 0);
  expect(await executionsOfBefore.areThere()).toBe(false);
}

test('F10: every migration only adds, so that the version before it goes on reading and writing', async () => {
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
  await moveExecutions(database);
  for (const table of GROWING_TABLES) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(
      database,
    );
    expect(Number(rows[0]?.count)).toBe(10 * NAMES.length);
  }
});

describe.skipIf(inject('postgres') === undefined)('F10: with traffic', () => {
  test(`migrations of ${ROWS} rows in each table that grows hold no lock for a second`, async () => {
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
