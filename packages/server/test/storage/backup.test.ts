import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { openParts } from '../../src/assembly/parts.js';
import { readConfig } from '../../src/config/config.js';
import { openDatabase } from '../../src/storage/database.js';
import { sealedCells } from '../support/databases/sealed-cells.js';
import { newEmptyDatabaseUrl } from '../support/databases/test-database.js';
import { command } from '../support/processes/command.js';
import { type GatedService, startGatedService } from '../support/processes/gated-service.js';
import { newFolder } from '../support/processes/new-folder.js';
import { newDataFolder, type ServiceProcess, startProcess } from '../support/processes/service-process.js';
import { connectAccount } from '../support/service/service.js';

const TOOLS = { calendar: 'calendar_list_calendars', workspace: 'workspace_users_list' } as const;

let service: GatedService;
let restored: ServiceProcess | undefined;

beforeAll(async () => {
  service = await startGatedService(Object.keys(TOOLS));
}, 60_000);
afterAll(async () => {
  await restored?.kill();
  await service.stop();
});

const databaseUrl = () => service.process().env?.['DATABASE_URL'] ?? '';

/** Dumps every row of every table as JSON, because the PostgreSQL of the tests comes without pg_dump. */
async function dumpPostgres(): Promise<ReadonlyMap<string, string>> {
  const client = new Client({ connectionString: databaseUrl() });
  await client.connect();
  await client.query('begin isolation level repeatable read');
  const { rows } = await client.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public' and table_name not like 'kysely%'",
  );
  const dump = new Map<string, string>();
  for (const { name } of rows) {
    const { rows: all } = await client.query<{ rows: string }>(
      `select coalesce(json_agg(given), '[]')::text as rows from ${name} as given`,
    );
    dump.set(name, all[0]?.rows ?? '[]');
  }
  await client.end();
  return dump;
}

async function restorePostgres(dump: ReadonlyMap<string, string>): Promise<string> {
  const url = await newEmptyDatabaseUrl();
  await (await openDatabase({ url })).close();
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('set session_replication_role = replica');
  for (const [name, rows] of dump) {
    await client.query(`insert into ${name} select * from json_populate_recordset(null::${name}, $1)`, [
      rows,
    ]);
  }
  await client.end();
  return url;
}

/** Backs up the running service. Returns a function that restores only the backup and the root key in a new folder. */
async function backUp(): Promise<() => Promise<{ data: string; env: Readonly<Record<string, string>> }>> {
  const running = service.process();
  const data = newDataFolder();
  const key = path.join(running.data, 'root.key');
  const restoreKey = () => {
    mkdirSync(data, { recursive: true });
    copyFileSync(key, path.join(data, 'root.key'));
  };
  if (inject('postgres')) {
    const dump = await dumpPostgres();
    return async () => {
      restoreKey();
      return { data, env: { ...running.env, DATABASE_URL: await restorePostgres(dump) } };
    };
  }
  const file = path.join(newFolder(), 'backup.db');
  const setup = { env: { SVC_DATA: running.data } };
  expect(await command(setup, 'backup', file)).toMatchObject({ code: 0, stderr: '' });
  expect(await command(setup, 'backup', file)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/new file/),
  });
  return async () => {
    restoreKey();
    copyFileSync(file, path.join(data, 'svc.db'));
    return { data, env: running.env ?? {} };
  };
}

/** Decrypts every ciphertext and returns their number. Throws when one does not decrypt. */
async function openEverySecret({ data, env }: { data: string; env: Readonly<Record<string, string>> }) {
  const config = readConfig([], { ...env, SVC_DATA: data });
  const parts = await openParts({ config, shared: true });
  const { database, close } = await openDatabase(
    config.databaseUrl === undefined
      ? { path: path.join(data, 'svc.db'), shared: true }
      : { url: config.databaseUrl },
  );
  const cells = await sealedCells(database);
  for (const { location, text } of cells) await parts.core.vault.open(location, text);
  await close();
  await parts.close();
  return cells.length;
}

test('F11: a backup of the running service, restored to an empty server, keeps every account working', async () => {
  const accounts = new Map<string, string>();
  for (const [connector, tool] of Object.entries(TOOLS)) {
    for (const user of ['ada', 'grace'])
      accounts.set((await connectAccount(service, connector, user)).id, tool);
  }
  let isOver = false;
  const traffic = (async () => {
    for (let user = 0; !isOver; user += 1) {
      const put = await service.application.call('PUT', `/v1/connections/calendar/accounts/user_${user}`);
      expect(put.status).toBe(201);
    }
  })();
  const restore = await backUp();
  isOver = true;
  await traffic;
  const settings = service.process();
  await settings.kill();

  const setup = await restore();
  expect(await openEverySecret(setup)).toBeGreaterThanOrEqual(2 * accounts.size);
  restored = await startProcess({ ...settings, ...setup });
  expect(existsSync(settings.data) && settings.data !== setup.data).toBe(true);
  for (const [connectedAccountId, tool] of accounts) {
    const body = { connectedAccountId, toolInput: {} };
    const reply = await service.application.call('POST', `/v1/tools/${tool}/execute`, { body });
    expect({ tool, status: reply.status }).toEqual({ tool, status: 200 });
  }
}, 120_000);

test.skipIf(inject('postgres') === undefined)(
  'backup refuses PostgreSQL and names its own tools',
  async () => {
    const running = service.process();
    const { code, stderr } = await command(
      { env: { ...running.env, SVC_DATA: running.data } },
      'backup',
      '/nowhere/backup.db',
    );
    expect(code).toBe(1);
    expect(stderr).toMatch(/^This command copies only the database file .+ pg_dump/);
  },
);
