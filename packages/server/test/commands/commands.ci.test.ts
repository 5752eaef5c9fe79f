import { readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, inject, test } from 'vitest';
import { ALL_COMMANDS } from '../../src/commands/all-commands.js';
import { createMigrations } from '../../src/storage/migrations.js';
import { command, commandJson, newSetup } from '../support/processes/command.js';
import { newFolder } from '../support/processes/new-folder.js';
import { newPort } from '../support/processes/new-port.js';
import { newDataFolder, startProcess } from '../support/processes/service-process.js';
import { signIn } from '../support/service/application.js';

const nowhere = () => ({ env: { SVC_DATA: newDataFolder() } });

test('--help lists every command', async () => {
  const { code, stdout } = await command(nowhere(), '--help');
  expect(code).toBe(0);
  for (const { name, summary } of ALL_COMMANDS) {
    expect(stdout).toMatch(new RegExp(`^  ${name} .*${summary.slice(0, 20)}`, 'm'));
  }
});

test('a wrong usage prints one sentence and exits with 2', async () => {
  const setup = nowhere();
  const { code, stdout, stderr } = await command(setup, 'apps', 'create');
  expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(/^.+\n$/) });
  expect(() => statSync(setup.env.SVC_DATA)).toThrow('ENOENT');
});

test('a secret as a flag is refused and not printed', async () => {
  const url = 'postgres://me:hush@db.example/svc';
  expect(await command(nowhere(), 'apps', 'list', '--database-url', url)).toEqual({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(
      /^--database-url would show a secret [^@]+ Set the variable DATABASE_URL instead, /,
    ),
  });
});

test('K6: an error message escapes control characters before it reaches the terminal', async () => {
  const setup = await newSetup();
  await command(setup, 'migrate');
  const { code, stderr } = await command(setup, 'apps', 'show', 'app_\u001b[2J\u009b2J\u202e');
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr:
      'There is no application "app_\\u001b[2J\\u009b2J\\u202e". `svc-server apps list` lists the ids.\n',
  });
});

test('a failure prints one sentence and exits with 1', async () => {
  const env = { DATABASE_URL: 'postgres://someone@127.0.0.1:1/svc', SVC_DATA: newDataFolder() };
  const { code, stdout, stderr } = await command({ env }, 'apps', 'create', 'Notes');
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^The database 127\.0\.0\.1:1\/svc cannot be used .+\n$/);
});

test('migrate creates and lists the tables, and then reports that they are up to date', async () => {
  const setup = await newSetup();
  const onNewFile = setup.env['DATABASE_URL'] === undefined;
  const names = Object.keys(createMigrations('sqlite'));
  const first = await command(setup, 'migrate');
  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(first.stdout).toBe(
    onNewFile
      ? `These migrations updated the tables of the database:\n${names.map((name) => `  ${name}\n`).join('')}`
      : 'The tables of the database are up to date.\n',
  );
  expect(await command(setup, 'migrate')).toMatchObject({
    code: 0,
    stdout: 'The tables of the database are up to date.\n',
  });
  expect(await commandJson(setup, 'migrate')).toEqual({ migrated: [] });
});

test('a command uses the same data as the running service', async () => {
  const { data, env } = await newSetup();
  const settings = {
    data,
    env,
    port: await newPort(),
    clientId: 'app_test',
    clientSecret: 'secret-of-the-test',
  };
  const service = await startProcess(settings);
  try {
    const made = await commandJson<{ clientId: string; clientSecret: string }>(
      { env },
      'apps',
      'create',
      'Notes',
    );
    const { call } = await signIn({ url: service.url, ...made });
    expect((await call('GET', '/v1/connections')).json()).toEqual({ items: [] });
  } finally {
    await service.kill();
  }
});

test.skipIf(inject('postgres') !== undefined).each([
  {
    title: 'without a name',
    name: () => '',
    code: 2,
    says: /^The file name is empty\. Name a new file for the copy of the database\.\n$/,
  },
  {
    title: 'in a missing folder',
    name: (folder: string) => path.join(folder, 'none/svc.db'),
    code: 1,
    says: /^There is no folder \/.+\/none\. Create the folder, or use another path\.\n$/,
  },
  {
    title: 'in a folder below a file',
    name: (folder: string) => path.join(folder, 'file/none/svc.db'),
    code: 1,
    says: /^There is no folder \/.+\/file\/none\. Create the folder, or use another path\.\n$/,
  },
  {
    title: 'whose name is too long',
    name: (folder: string) => path.join(folder, 'b'.repeat(255)),
    code: 1,
    says: /^The file \/.+\/b+ cannot be written \(name too long\). Check the folder and the disk, or use a file in another folder\.\n$/,
  },
])('backup refuses a file $title in one sentence', async ({ name, code, says }) => {
  const setup = await newSetup();
  await command(setup, 'migrate');
  const folder = newFolder();
  writeFileSync(path.join(folder, 'file'), '');
  expect(await command(setup, 'backup', name(folder))).toEqual({
    code,
    stdout: '',
    stderr: expect.stringMatching(says),
  });
  expect(readdirSync(folder)).toEqual(['file']);
});
