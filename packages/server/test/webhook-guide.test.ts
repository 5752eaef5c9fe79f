import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Application, signIn } from './application.js';
import { newPort } from './new-port.js';
import { type Service, startService } from './service.js';

const GUIDE = path.join(import.meta.dirname, '../../docs/guides/webhooks.md');
// Programs in this folder find the packages of the workspace.
const PROGRAMS = path.join(import.meta.dirname, '../node_modules/.webhook-guide');

let service: Service;
let owner: Application;
let folder: string;
let url: string;
let receiver: ChildProcess;
let output = '';

beforeAll(async () => {
  const port = await newPort();
  url = `http://localhost:${port}`;
  service = await startService({ connectors: [], env: { SVC_ALLOWED_ORIGINS: `webhooks=${url}` } });
  owner = await signIn(service);
  mkdirSync(PROGRAMS, { recursive: true });
  folder = mkdtempSync(path.join(PROGRAMS, 'run-'));
  const [, program = ''] = /^```ts\n(.*?)^```/ms.exec(readFileSync(GUIDE, 'utf8')) ?? [];
  writeFileSync(path.join(folder, 'receiver.mjs'), stripTypeScriptTypes(program));
  const body = { url: `${url}/svc`, types: ['account.authorized', 'account.deleted'] };
  const endpoint = await owner.call('POST', '/v1/webhook-endpoints', { body });
  const { secret } = endpoint.json<{ secret: string }>();
  receiver = spawn(process.execPath, ['receiver.mjs'], {
    cwd: folder,
    env: { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret },
  });
  for (const stream of [receiver.stdout, receiver.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  await vi.waitFor(() => expect(output).toContain('ready'), 10_000);
});
afterAll(async () => {
  receiver.kill();
  rmSync(folder, { recursive: true, force: true });
  await service.stop();
});

test('the receiver of the guide verifies the events of the service, and refuses others', async () => {
  const account = '/v1/connections/calls/accounts/ada';
  await owner.call('POST', '/v1/connections', {
    body: { connectionName: 'calls', connector: 'convintel', baseUrl: 'https://10.0.0.1' },
  });
  await owner.call('PUT', account, { body: { bearerToken: 'sandbox-token', verify: false } });
  await owner.call('DELETE', account);
  await vi.waitFor(() => {
    expect(output).toContain('account.authorized is ignored');
    expect(output).toContain('ada is no longer connected');
  }, 10_000);
  const forged = await fetch(url, { method: 'POST', body: '{"type":"account.deleted"}' });
  expect(forged.status).toBe(400);
});
