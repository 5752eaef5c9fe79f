import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import type { ServiceEvent } from '@svc/core/events';
import { startSandbox } from '@svc/sandbox';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newPort } from '../support/processes/new-port.js';
import { listForSandbox } from '../support/service/allowed-origins.js';
import { type Application, signIn } from '../support/service/application.js';
import { type Service, startService } from '../support/service/service.js';

const GUIDE = path.join(import.meta.dirname, '../../../docs/guides/webhooks.md');
// Programs in this folder find the packages of the workspace.
const PROGRAMS = path.join(import.meta.dirname, '../../node_modules/.webhook-guide');

const PROGRAMS_OF_GUIDE = [...readFileSync(GUIDE, 'utf8').matchAll(/^```ts\n(.*?)^```/gms)];

/** Returns the program of the guide that contains a text. */
function programWith(text: string): string {
  const [, program] = PROGRAMS_OF_GUIDE.find(([, each = '']) => each.includes(text)) ?? [];
  if (program === undefined) throw new Error(`The guide has no program with "${text}".`);
  return program;
}

let service: Service;
let owner: Application;
let folder: string;
let url: string;
let receiver: ChildProcess;
let output = '';

beforeAll(async () => {
  const port = await newPort();
  url = `http://localhost:${port}`;
  const sandbox = await startSandbox({ connectors: ['convintel'], rateLimits: false });
  const origins = `${listForSandbox(sandbox)},webhooks=${url}`;
  service = await startService({ sandbox, env: { SVC_ALLOWED_ORIGINS: origins } });
  owner = await signIn(service);
  mkdirSync(PROGRAMS, { recursive: true });
  folder = mkdtempSync(path.join(PROGRAMS, 'run-'));
  writeFileSync(path.join(folder, 'receiver.mjs'), stripTypeScriptTypes(programWith('createServer')));
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

test('the receiver of the guide verifies the events of the service, and refuses others with a logged reason', async () => {
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
  await vi.waitFor(() => expect(output).toContain('webhook-signature are missing or invalid'));
});

test('the program of the guide subscribes an account, whose payloads reach the receiver', async () => {
  const account = '/v1/connections/convintel/accounts/ada';
  await owner.call('PUT', account, { body: { bearerToken: 'sandbox-guide' } });
  const program = programWith('accounts.webhooks.create').replace('https://hooks.example.com', url);
  writeFileSync(path.join(folder, 'subscribe.mjs'), stripTypeScriptTypes(program));
  const env = {
    ...process.env,
    SVC_ENVIRONMENT_URL: service.url,
    SVC_CLIENT_ID: service.clientId,
    SVC_CLIENT_SECRET: service.clientSecret,
  };
  const { stdout } = await promisify(execFile)(process.execPath, ['subscribe.mjs'], { cwd: folder, env });
  expect(stdout).toMatch(/^sub_\w+ conversation_processed active\n$/);
  const { items } = (await owner.call('GET', '/v1/webhook-endpoints')).json<{ items: { id: string }[] }>();
  expect(items).toHaveLength(2);
  expect(await service.sandbox.sendWebhooks('convintel', 'conversation_processed')).toBe(1);
  // The receiver of the guide has only the secret of its own endpoint, so the test reads the list of events.
  // The service lists an event as soon as it has given the event a position.
  const event = await vi.waitUntil(async () => {
    const events = await owner.call('GET', '/v1/events?types=convintel.conversation_processed');
    return events.json<{ items: ServiceEvent[] }>().items[0];
  }, 20_000);
  const lines: unknown[] = [];
  vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(line));
  writeFileSync(path.join(folder, 'handle.mjs'), stripTypeScriptTypes(programWith('function handle')));
  const { handle } = await import(path.join(folder, 'handle.mjs'));
  handle(event);
  vi.restoreAllMocks();
  expect(lines).toEqual(['ada: Engine demonstration is ready']);
});
