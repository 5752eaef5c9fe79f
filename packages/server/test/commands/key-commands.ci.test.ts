import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { command, commandJson, newSetup } from '../support/processes/command.js';
import { newFolder } from '../support/processes/new-folder.js';
import { newSettings, startProcess } from '../support/processes/service-process.js';
import { signIn } from '../support/service/application.js';

const NOBODY = 65534;
const ISO_TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

interface Status {
  readonly rootKeys: readonly { readonly id: string; readonly state: string; readonly wraps: number }[];
  readonly dataKeys: readonly {
    readonly applicationId: string;
    readonly generation: number;
    readonly values: number;
    readonly createdAt: string;
    readonly unusedSince: string | null;
  }[];
}

/** Starts a service with one encrypted secret: the client secret of a connection. */
async function startWithSecret() {
  const settings = await newSettings();
  const service = await startProcess(settings);
  const application = await signIn(service);
  const body = {
    connectionName: 'calendar',
    connector: 'calendar',
    clientId: 'id',
    clientSecret: 'a-client-secret',
  };
  expect((await application.call('POST', '/v1/connections', { body })).status).toBe(201);
  const setup = { env: { ...settings.env, SVC_DATA: settings.data } };
  const status = () => commandJson<Status>(setup, 'keys', 'status');
  return { service, setup, status, keyFile: path.join(settings.data, 'root.key') };
}

test('K4: keys status lists the keys, and keys rotate works while the service runs', async () => {
  const { service, setup, status, keyFile } = await startWithSecret();
  try {
    const before = await status();
    expect(before.rootKeys).toEqual([{ id: expect.any(String), state: 'current', wraps: 2 }]);
    expect(before.dataKeys).toMatchObject([{ applicationId: 'app_test', generation: 1, values: 1 }]);

    const rotated = await command(setup, 'keys', 'rotate', '--application', 'app_test');
    expect(rotated).toMatchObject({ code: 0, stderr: '' });
    expect(rotated.stdout).toMatch(/^app_test: 1 values are now encrypted with its newest key\.\n/);
    const { dataKeys } = await status();
    expect(dataKeys).toMatchObject([{ values: 0 }, { generation: 2, values: 1 }]);
    const times = dataKeys.flatMap(({ createdAt, unusedSince }) => [createdAt, unusedSince]);
    expect(times).toEqual([ISO_TIME, ISO_TIME, ISO_TIME, null]);

    const line = readFileSync(keyFile, 'utf8');
    const root = await command(setup, 'keys', 'rotate', '--root');
    expect(root).toMatchObject({ code: 0, stderr: '' });
    expect(root.stdout).toMatch(
      /^3 data keys were encrypted again with the root key [0-9a-f]{16}\.\nThe root key [0-9a-f]{16} is no longer needed/,
    );
    expect(readFileSync(keyFile, 'utf8')).not.toContain(line.trim());
    expect(statSync(keyFile).mode & 0o777).toBe(0o600);
    expect((await status()).rootKeys).toEqual([{ id: expect.any(String), state: 'current', wraps: 3 }]);

    const body = { clientSecret: 'another-client-secret' };
    const again = await signIn(service);
    expect((await again.call('PATCH', '/v1/connections/calendar', { body })).status).toBe(200);
  } finally {
    await service.kill();
  }
  const events = (await command(setup, 'audit', 'export')).stdout.trim().split('\n');
  const rotations = events.map((event) => JSON.parse(event)).filter(({ action }) => /_key\./.test(action));
  expect(rotations.map(({ action, actor }) => [action, actor])).toEqual([
    ['data_key.created', 'app_test'],
    ['data_key.created', 'command'],
    ['root_key.rotated', 'command'],
  ]);
}, 240_000);

test('K4: invalid options of keys rotate change nothing', async () => {
  const { service, setup, status } = await startWithSecret();
  await service.kill();
  const before = await status();
  const refusals = [
    { words: ['--root', '--application', 'app_test'], code: 2, says: /^All applications share the root key/ },
    { words: ['--application', 'app_none'], code: 1, says: /app_none/ },
  ];
  for (const { words, code, says } of refusals) {
    const refused = await command(setup, 'keys', 'rotate', ...words);
    expect(refused).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(says) });
  }
  expect(await status()).toEqual(before);
}, 240_000);

test('K4: keys rotate prints the new key when the key file cannot be replaced', async () => {
  const folder = newFolder();
  // 255 characters is the longest file name, so the command cannot write a temporary file with a longer name.
  const keyFile = path.join(folder, 'k'.repeat(255));
  const former = randomBytes(32).toString('base64');
  writeFileSync(keyFile, `${former}\n`);
  const { env } = await newSetup();
  const setup = { env: { ...env, SVC_ROOT_KEY: `file:${keyFile}` } };
  expect(await command(setup, 'migrate')).toMatchObject({ code: 0 });
  const [before] = (await commandJson<Status>(setup, 'keys', 'status')).rootKeys;

  expect(await command(setup, 'keys', 'rotate', '--root')).toEqual({
    code: 1,
    stdout: '',
    stderr: `The root key file ${keyFile} cannot be replaced (name too long), so no new key was added. Create a key with \`openssl rand -base64 32\`, and add it to the file as its first line. Then run \`svc-server keys rotate --root --finish\`.\n`,
  });
  expect([readdirSync(folder), readFileSync(keyFile, 'utf8')]).toEqual([
    [path.basename(keyFile)],
    `${former}\n`,
  ]);

  const added = randomBytes(32).toString('base64');
  writeFileSync(keyFile, `${added}\n${former}\n`);
  const finish = () => command(setup, 'keys', 'rotate', '--root', '--finish');
  expect(await finish()).toEqual({
    code: 1,
    stdout: '',
    stderr: `The root keys ${before?.id} are no longer needed, but the root key file ${keyFile} cannot be replaced (name too long). Remove the lines of these keys from the file. The lines are in the order in which \`svc-server keys status\` lists the keys.\n`,
  });
  writeFileSync(keyFile, `${added}\n`);
  expect(await finish()).toMatchObject({ code: 0, stderr: '' });
}, 120_000);

test.skipIf(process.getuid?.() !== 0)(
  'K4: keys rotate as root keeps the owner of the key file',
  async () => {
    const setup = await newSetup();
    expect(await command(setup, 'migrate')).toMatchObject({ code: 0 });
    const keyFile = path.join(setup.data, 'root.key');
    chownSync(keyFile, NOBODY, NOBODY);
    chmodSync(keyFile, 0o440);
    expect(await command(setup, 'keys', 'rotate', '--root')).toMatchObject({ code: 0, stderr: '' });
    const { uid, gid, mode } = statSync(keyFile);
    expect({ uid, gid, mode: mode & 0o777 }).toEqual({ uid: NOBODY, gid: NOBODY, mode: 0o440 });
  },
  120_000,
);
