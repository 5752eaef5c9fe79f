import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { signIn } from './application.js';
import { command, commandJson } from './command.js';
import { newSettings, startProcess } from './service-process.js';

interface Status {
  readonly rootKeys: readonly { readonly id: string; readonly state: string; readonly wraps: number }[];
  readonly dataKeys: readonly {
    readonly applicationId: string;
    readonly generation: number;
    readonly values: number;
  }[];
}

/** A running service whose application keeps one secret. */
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
  const place = { env: { ...settings.env, SVC_DATA: settings.data } };
  const status = () => commandJson<Status>(place, 'keys', 'status');
  return { service, place, status, keyFile: path.join(settings.data, 'root.key') };
}

test('K4: keys are shown, and rotated beside the running service', async () => {
  const { service, place, status, keyFile } = await startWithSecret();
  try {
    const before = await status();
    expect(before.rootKeys).toEqual([{ id: expect.any(String), state: 'current', wraps: 2 }]);
    expect(before.dataKeys).toMatchObject([{ applicationId: 'app_test', generation: 1, values: 1 }]);

    const rotated = await command(place, 'keys', 'rotate', '--application', 'app_test');
    expect(rotated).toMatchObject({ code: 0, stderr: '' });
    expect(rotated.stdout).toMatch(/^app_test: 1 values are encrypted with its newest key now\.\n/);
    expect((await status()).dataKeys).toMatchObject([{ values: 0 }, { generation: 2, values: 1 }]);

    const line = readFileSync(keyFile, 'utf8');
    const root = await command(place, 'keys', 'rotate', '--root');
    expect(root).toMatchObject({ code: 0, stderr: '' });
    expect(root.stdout).toMatch(
      /^3 keys were wrapped again by the root key [0-9a-f]{16}\.\nRemoved the root key/,
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
  const events = (await command(place, 'audit', 'export')).stdout.trim().split('\n');
  const told = events.map((event) => JSON.parse(event)).filter(({ action }) => /_key\./.test(action));
  expect(told.map(({ action, actor }) => [action, actor])).toEqual([
    ['data_key.created', 'app_test'],
    ['data_key.created', 'command'],
    ['root_key.rotated', 'command'],
  ]);
}, 240_000);

test('K4: a wrong use of the rotation changes nothing', async () => {
  const { service, place, status } = await startWithSecret();
  await service.kill();
  const before = await status();
  const refusals = [
    { words: ['--root', '--application', 'app_test'], code: 2, says: /^The root key is the same for all/ },
    { words: ['--application', 'app_none'], code: 1, says: /app_none/ },
  ];
  for (const { words, code, says } of refusals) {
    const refused = await command(place, 'keys', 'rotate', ...words);
    expect(refused).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(says) });
  }
  expect(await status()).toEqual(before);
}, 240_000);
