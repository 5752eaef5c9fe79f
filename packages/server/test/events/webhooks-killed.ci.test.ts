import { randomBytes } from 'node:crypto';
import { type Sandbox, startSandbox } from '@svc/sandbox';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newSettings, type ServiceProcess, startProcess } from '../support/processes/service-process.js';
import { listForSandbox } from '../support/service/allowed-origins.js';
import { type Application, signIn } from '../support/service/application.js';

const TYPE = 'convintel.conversation_processed';
const ACCOUNT = '/v1/connections/calls/accounts/ada';
const PAYLOADS = 60;
const AT_ONCE = 6;
const WAIT = { timeout: 20_000, interval: 50 };

let sandbox: Sandbox;
let service: ServiceProcess;

beforeAll(async () => {
  sandbox = await startSandbox({ connectors: ['convintel'], rateLimits: false });
  const env = {
    SVC_ROOT_KEY: randomBytes(32).toString('base64'),
    // Port 9 of this machine refuses every connection, so the events stay in the list.
    SVC_ALLOWED_ORIGINS: `${listForSandbox(sandbox)},webhooks=http://127.0.0.1:9`,
  };
  service = await startProcess(await newSettings({ env }));
});
afterAll(async () => {
  await service.kill();
  await sandbox.stop();
});

/** Subscribes an account and returns the address to which its upstream sends. */
async function subscribe({ call }: Application): Promise<string> {
  const { baseUrl } = sandbox.upstream('convintel');
  const body = { connectionName: 'calls', connector: 'convintel', baseUrl };
  await call('POST', '/v1/connections', { body });
  await call('PUT', ACCOUNT, { body: { bearerToken: 'sandbox-ada' } });
  await call('POST', '/v1/webhook-endpoints', { body: { url: 'http://127.0.0.1:9/', types: [TYPE] } });
  const trigger = 'conversation_processed';
  const created = await call('POST', `${ACCOUNT}/webhooks`, { body: { trigger } });
  expect(created.status, created.text).toBe(201);
  const requests = await sandbox.requests('convintel');
  const webhook = requests.find(({ method, path }) => method === 'POST' && path === '/webhooks');
  const { url = '' } = (webhook?.body ?? {}) as { readonly url?: string };
  return url;
}

/** Sends a payload, as an upstream that stops after one attempt. Returns whether the service accepted it. */
async function send(url: string, number: number): Promise<boolean> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ number });
  const response = await fetch(url, { method: 'POST', headers, body }).catch(() => undefined);
  return response?.status === 204;
}

test('F1: an accepted payload survives a kill, and a repeated one causes one event', async () => {
  const url = await subscribe(await signIn(service));
  const numbers = Array.from({ length: PAYLOADS }, (_, number) => number);
  const accepted = new Set<number>();
  const waiting = numbers.values();
  let killing: Promise<void> | undefined;
  async function work(): Promise<void> {
    for (const number of waiting) {
      if (await send(url, number)) accepted.add(number);
      if (accepted.size >= PAYLOADS / 3) killing ??= service.kill();
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  await killing;
  expect(accepted.size).toBeGreaterThanOrEqual(PAYLOADS / 3);
  expect(accepted.size).toBeLessThan(PAYLOADS);
  service = await startProcess(service);
  const { call } = await signIn(service);
  const received = async () => {
    const reply = await call('GET', `/v1/events?types=${TYPE}&pageSize=200`);
    const { items } = reply.json<{ items: { data: { payload: { number: number } } }[] }>();
    return items.map(({ data }) => data.payload.number).sort((one, other) => one - other);
  };
  await vi.waitFor(async () => expect(await received()).toEqual(expect.arrayContaining([...accepted])), WAIT);
  for (const number of numbers) expect(await send(url, number)).toBe(true);
  // Events are listed in the order of their commits, so the last one shows that no other is missing.
  expect(await send(url, PAYLOADS)).toBe(true);
  await vi.waitFor(async () => expect(await received()).toContain(PAYLOADS), WAIT);
  expect(await received()).toEqual([...numbers, PAYLOADS]);
}, 120_000);
