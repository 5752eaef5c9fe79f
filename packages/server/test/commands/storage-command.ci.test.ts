import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, inject, test } from 'vitest';
import { openDatabase } from '../../src/storage/database.js';
import { createStorage } from '../../src/storage/storage.js';
import { addExecutions } from '../support/databases/add-executions.js';
import { addOwnersOfAged } from '../support/databases/aged-rows.js';
import { type CommandSetup, command, commandJson, newSetup } from '../support/processes/command.js';

interface Report {
  readonly tables: readonly {
    readonly table: string;
    readonly rows: number;
    readonly bytes: number;
    readonly oldest?: string;
    readonly retention: readonly { readonly setting: string; readonly days: number }[];
  }[];
  readonly file?: { readonly pages: number; readonly free: number; readonly givesBack: boolean };
}

const IS_SQLITE = inject('postgres') === undefined;
const fileOf = ({ data }: CommandSetup) => path.join(data, 'svc.db');

/** Adds `count` executions to the database. */
async function fill(setup: CommandSetup, count: number): Promise<void> {
  const url = setup.env['DATABASE_URL'];
  const { database, close } = await openDatabase(url === undefined ? { path: fileOf(setup) } : { url });
  await addOwnersOfAged(database);
  await addExecutions(createStorage(database), 'app_1', count);
  await close();
}

test('storage lists the size and the retention of each table', async () => {
  const setup = await newSetup();
  await command(setup, 'migrate');
  await fill(setup, 1234);
  const { tables, file } = await commandJson<Report>(setup, 'storage', '--keep-audit', '30');
  const find = (name: string) => tables.find(({ table }) => table === name);
  expect(find('executions')).toMatchObject({
    rows: 1234,
    oldest: '2026-11-20T09:00:00.000Z',
    retention: [{ setting: 'SVC_KEEP_EXECUTIONS', days: 14 }],
  });
  expect(find('executions')?.bytes).toBeGreaterThan(50 * 1234);
  expect(find('audit_events')).toMatchObject({ retention: [{ setting: 'SVC_KEEP_AUDIT', days: 30 }] });
  expect(find('accounts')).toMatchObject({ rows: 1, retention: [] });
  expect(find('rate_buckets')?.retention ?? []).toEqual([]);
  expect(tables[0]).toBe(find('executions'));
  expect(file !== undefined).toBe(IS_SQLITE);

  const { stdout } = await command(setup, 'storage');
  expect(stdout).toMatch(
    /^TABLE +ROWS +SIZE +OLDEST +RETENTION\nexecutions +1234 +[\d.]+ kB +2026-11-20T09:00:00\.000Z +14 days \(SVC_KEEP_EXECUTIONS\)\n/,
  );
});

test.skipIf(!IS_SQLITE)(
  'storage compact rewrites a file of an older version, which then releases free space',
  async () => {
    const setup = await newSetup();
    await command(setup, 'migrate');
    const old = new Sqlite(fileOf(setup));
    old.exec('pragma auto_vacuum = none; vacuum');
    old.close();
    await fill(setup, 30_000);
    const full = new Sqlite(fileOf(setup));
    full.exec('delete from executions');
    full.close();
    const before = await commandJson<Report>(setup, 'storage');
    expect(before.file).toMatchObject({ givesBack: false });
    expect((await command(setup, 'storage')).stdout).toContain('run `svc-server storage compact` once');

    const { before: was, after: is } = await commandJson<{ before: number; after: number }>(
      setup,
      'storage',
      'compact',
    );
    expect(is).toBeLessThan(was / 5);
    expect((await commandJson<Report>(setup, 'storage')).file).toMatchObject({ givesBack: true, free: 0 });
  },
);

test.skipIf(IS_SQLITE)('storage compact refuses PostgreSQL and names its own tools', async () => {
  const setup = await newSetup();
  expect(await command(setup, 'storage', 'compact')).toMatchObject({
    code: 1,
    stderr: 'The service cannot shrink the files of PostgreSQL. Use VACUUM FULL or pg_repack.\n',
  });
});
