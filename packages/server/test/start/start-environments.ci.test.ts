import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { onServer } from '../support/databases/postgres-databases.js';
import { newEmptyDatabaseUrl } from '../support/databases/test-database.js';
import {
  newDataFolder,
  newSettings,
  runService,
  type ServiceSettings,
  startProcess,
} from '../support/processes/service-process.js';
import { signIn } from '../support/service/application.js';

// Timeout in ms. Tests of other environments: sub-path.test.ts, egress-proxy.sqlite.ci.test.ts.
const SLOW = { timeout: 180_000 };
const OTHER_USER = 54_321;

/** Starts the service, creates 60 connections concurrently, and checks that all are listed. */
async function startAndUse(settings: ServiceSettings, url = `http://localhost:${settings.port}`) {
  const service = await startProcess(settings);
  onTestFinished(service.kill);
  const { call } = await signIn({ ...settings, url });
  const names = Array.from({ length: 60 }, (_, index) => `calendar${index}`);
  const replies = await Promise.all(
    names.map((connectionName) =>
      call('POST', '/v1/connections', { body: { connectionName, connector: 'calendar' } }),
    ),
  );
  expect(replies.map(({ status }) => status)).toEqual(names.map(() => 201));
  const { items } = (await call('GET', '/v1/connections?pageSize=200')).json<{ items: unknown[] }>();
  expect(items).toHaveLength(names.length);
  return service;
}

/** Creates a data folder of this owner, below a folder that every user may enter. */
function makeFolder(data: string, owner: number): void {
  chmodSync(path.dirname(data), 0o755);
  mkdirSync(data, { mode: 0o700 });
  chownSync(data, owner, owner);
}

/** Wrapper command that makes the file system read-only for the service, except its data folder. */
const readOnlyBut = (data: string) => [
  'unshare',
  '--mount',
  'sh',
  '-c',
  `mount -o remount,ro,bind / && mount -t tmpfs tmpfs ${data} && exec "$@"`,
  'sh',
];
const mayMount = spawnSync('unshare', ['--mount', 'true']).status === 0;

describe.skipIf(process.getuid?.() !== 0)('a service that runs as another user', () => {
  test('starts with its own data folder', SLOW, async () => {
    const settings = await newSettings();
    makeFolder(settings.data, OTHER_USER);
    await startAndUse({ ...settings, user: OTHER_USER });
  });

  test('reports in one sentence that it cannot use the data folder of root', SLOW, async () => {
    const data = newDataFolder();
    makeFolder(data, 0);
    const run = (...flags: string[]) =>
      runService({ flags, env: { SVC_DATA: data }, user: OTHER_USER }).ended;
    const advice = `The service cannot use the data folder ${data}. Give the folder to the user of the service: chown -R ${OTHER_USER} ${data}, or set SVC_DATA to another folder.\n`;
    expect(await run()).toEqual({ code: 1, stdout: '', stderr: advice });
    expect(await run('apps', 'list')).toEqual({ code: 1, stdout: '', stderr: advice });
    expect(await run('--help')).toMatchObject({ code: 0, stderr: '' });
    expect(await run('--version')).toMatchObject({ code: 0, stderr: '' });
  });
});

test.skipIf(!mayMount)('starts on a read-only file system with a writable data folder', SLOW, async () => {
  const settings = await newSettings();
  mkdirSync(settings.data);
  await startAndUse({ ...settings, through: readOnlyBut(settings.data) });
});

test('starts on an IPv6 address', SLOW, async () => {
  const settings = await newSettings({ env: { SVC_HOST: '::1' } });
  await startAndUse(settings, `http://[::1]:${settings.port}`);
});

describe.skipIf(inject('postgres') === undefined)('a service on a shared PostgreSQL', () => {
  test('starts in its own schema next to the migration tables of another program', SLOW, async () => {
    const database = await newEmptyDatabaseUrl();
    await onServer(database, 'create schema own; create table kysely_migration (name text primary key)');
    const url = new URL(database);
    url.searchParams.set('options', '-c search_path=own');
    await startAndUse(await newSettings({ env: { DATABASE_URL: url.href } }));
  });

  test('waits for a free connection when the database allows too few', SLOW, async () => {
    const database = await newEmptyDatabaseUrl();
    const name = new URL(database).pathname.slice(1);
    const role = `few_${name}`;
    await onServer(database, `create role ${role} login password 'few' connection limit 17`);
    await onServer(database, `alter database ${name} owner to ${role}; alter schema public owner to ${role}`);
    const url = Object.assign(new URL(database), { username: role, password: 'few' });
    const env = { DATABASE_URL: url.href, SVC_DATABASE_CONNECTIONS: '40' };
    await startAndUse(await newSettings({ env }));
  });
});
