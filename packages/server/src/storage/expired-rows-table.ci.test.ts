import { CamelCasePlugin, CompiledQuery, type Dialect, Kysely, sql } from 'kysely';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { addExecutions } from '../../test/support/databases/add-executions.js';
import { addOwnersOfAged, agedTables } from '../../test/support/databases/aged-rows.js';
import { newDatabaseUrl } from '../../test/support/databases/test-database.js';
import { TIMED } from '../../test/support/processes/cpu-of.js';
import { newFolder } from '../../test/support/processes/new-folder.js';
import { rounds } from '../../test/support/runner/rounds.js';
import { openDatabase } from './database.js';
import { openPostgres } from './postgres.js';
import { EXECUTION_RULE, INDEXED_RULES } from './retention-rules.js';
import type { Database, Schema } from './schema.js';
import { createDialect } from './sqlite.js';
import { openFile, type SqliteFile, type Statement } from './sqlite-file.js';
import { createStorage, type Storage } from './storage.js';

const ROWS = rounds(1_000_000, 50_000);
const MAX_MS = 20;

interface OpenedHere extends Storage {
  readonly database: Kysely<Schema>;
  /** Queries that the database has executed, in order. */
  readonly queries: CompiledQuery[];
}

/**
 * Opens a database with its tables and records its queries. With SQLite, `run` executes the statements in this thread.
 */
async function openHere(
  run: (file: SqliteFile) => SqliteFile['run'] = (file) => file.run,
): Promise<OpenedHere> {
  const source = (await newDatabaseUrl()) ?? { path: `${newFolder()}/svc.db` };
  const { close } = await openDatabase(typeof source === 'string' ? { url: source } : source);
  await close();
  const queries: CompiledQuery[] = [];
  const toDatabase = (dialect: Dialect) =>
    new Kysely<Schema>({
      dialect,
      plugins: [new CamelCasePlugin()],
      log: ({ query }) => void queries.push(query),
    });
  if (typeof source === 'string') {
    const opened = openPostgres({ url: source, connections: 1 });
    const database = toDatabase(opened.dialect);
    onTestFinished(async () => {
      await database.destroy();
      await opened.close();
    });
    return { database, queries, ...createStorage(database) };
  }
  const file = openFile(source.path);
  onTestFinished(file.close);
  const runner = { run: async (statement: Statement) => run(file)(statement), close: async () => undefined };
  const database = toDatabase(createDialect(runner, source));
  return { database, queries, ...createStorage(database) };
}

/** Runs `work`, and returns the query plans of all queries that it made. */
async function plansOf({ database, queries }: OpenedHere, work: () => Promise<unknown>): Promise<string> {
  queries.length = 0;
  await work();
  const executed = [...queries];
  // Forbids PostgreSQL to scan tables, because it would scan a small test table instead of using an index.
  if (inject('postgres')) await database.executeQuery(CompiledQuery.raw('set enable_seqscan = off'));
  const plans: string[] = [];
  for (const { sql, parameters } of executed) {
    const how = inject('postgres') ? 'explain' : 'explain query plan';
    const { rows } = await database.executeQuery(CompiledQuery.raw(`${how} ${sql}`, [...parameters]));
    plans.push(...rows.map((row) => JSON.stringify(row)));
  }
  return plans.join('\n');
}

const SCAN = /Seq Scan|SCAN (?!named|t\b)\w+(?! USING (COVERING )?INDEX)(?! VIRTUAL)|TEMP B-TREE|"Sort/;

/**
 * Copies an account 2,000 times, because PostgreSQL chooses indexes by the statistics of a table, and an almost empty
 * table would mislead it.
 */
async function addManyAccounts(database: Database): Promise<void> {
  await sql`insert into accounts select (jsonb_populate_record(accounts,
    jsonb_build_object('id', 'acct_many_' || n, 'identifier', 'user_' || n))).* from accounts, generate_series(1, 2000) as n
    limit 2000`.execute(database);
  await sql`analyze accounts`.execute(database);
}

describe('F5: the deletion of expired rows uses an index', () => {
  test.each(INDEXED_RULES)('$name', async (rule) => {
    const opened = await openHere();
    const plans = await plansOf(opened, () => opened.expiredRows.deleteOldest(rule, 1));
    expect(plans).toContain(rule.index);
    expect(plans).not.toMatch(SCAN);
  });

  test('covers executions, one application at a time', async () => {
    const opened = await openHere();
    const plans = await plansOf(opened, async () => {
      await opened.expiredRows.nextWithExecutions('');
      await opened.expiredRows.deleteOldestExecutions('app_1', 1);
    });
    expect(plans).toMatch(
      inject('postgres') ? /executions_newest/ : /PRIMARY KEY \(application_id=\? AND started_at/,
    );
    expect(plans).not.toMatch(SCAN);
  });

  test('covers rows that other rows reference', async () => {
    const opened = await openHere();
    await addOwnersOfAged(opened.database);
    const kind = inject('postgres') ? 'postgres' : 'sqlite';
    for (const { add, title } of agedTables(kind)) await add(opened.database, title, 1);
    if (inject('postgres')) await addManyAccounts(opened.database);
    const plans = await plansOf(opened, async () => {
      for (const rule of opened.expiredRows.scannedRules)
        await opened.expiredRows.deleteScanned(rule, { after: '', until: 0 });
    });
    expect(plans).toContain('accounts_issuer');
    expect(plans).not.toMatch(SCAN);
  });
});

describe.skipIf(inject('postgres') !== undefined)('the deletion of expired rows on SQLite', () => {
  test(`F5: blocks for less than ${MAX_MS} ms while ${ROWS} executions are deleted, and frees their space`, {
    ...TIMED,
    timeout: 300_000,
  }, async () => {
    let longest = 0;
    const { database, expiredRows, executions, freeSpace } = await openHere((file) => (statement) => {
      const before = process.threadCpuUsage();
      const outcome = file.run(statement);
      const { user, system } = process.threadCpuUsage(before);
      longest = Math.max(longest, (user + system) / 1000);
      return outcome;
    });
    await addOwnersOfAged(database);
    const empty = await freeSpace.ofFile();
    await addExecutions({ executions }, 'app_1', ROWS);
    longest = 0;
    while (
      (await expiredRows.deleteOldestExecutions('app_1', Number.MAX_SAFE_INTEGER)) ===
      EXECUTION_RULE.sliceSize
    );
    const emptied = await freeSpace.ofFile();
    for (let left = emptied?.free ?? 0; left > 0; left -= 100) await freeSpace.giveBack(100);
    expect(longest).toBeLessThan(MAX_MS);
    expect(await database.selectFrom('executions').select('id').execute()).toEqual([]);
    const shrunk = await freeSpace.ofFile();
    expect(shrunk).toMatchObject({ free: 0, givesBack: true });
    expect(shrunk?.pages).toBeLessThan(1.1 * (empty?.pages ?? 0));
  });
});

describe.skipIf(inject('postgres') === undefined)('the deletion of expired rows on PostgreSQL', () => {
  test('F5: reads no more blocks per batch, however much was deleted before a vacuum', async () => {
    const { database, queries, expiredRows, executions } = await openHere();
    await addOwnersOfAged(database);
    await addExecutions({ executions }, 'app_1', 30_000);
    await database.executeQuery(CompiledQuery.raw('alter table executions set (autovacuum_enabled = off)'));
    const blocks: number[] = [];
    for (let slice = 0; slice < 50; slice += 1) {
      await expiredRows.deleteOldestExecutions('app_1', Number.MAX_SAFE_INTEGER);
      const { sql, parameters } = queries.at(-1) ?? CompiledQuery.raw('');
      const { rows } = await database.executeQuery<{ 'QUERY PLAN': unknown }>(
        CompiledQuery.raw(
          `explain (analyze, buffers, format json) ${sql
            .replace('delete', 'select 1')
            .replace(/ returning .*/s, '')}`,
          [...parameters],
        ),
      );
      blocks.push(Number(/"Shared Hit Blocks":(\d+)/.exec(JSON.stringify(rows))?.[1]));
    }
    expect(blocks.at(-1)).toBeLessThan(1.1 * (blocks[0] ?? 0));
  });
});
