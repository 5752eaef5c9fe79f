import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { signIn } from './application.js';
import { newPort } from './new-port.js';
import { newDataFolder, newSettings, type ServiceProcess, startProcess } from './service-process.js';
import { type Receiver, startReceiver } from './support/start-receiver.js';

// SQLite has one process, PostgreSQL several.
const PROCESSES = inject('postgres') === undefined ? 1 : 3;
const EVENTS = 60;
/** Time in milliseconds until a delivery of a killed process is sent again: the lease, and the pause of the loop. */
const LEASE_MS = 45_000;

let receiver: Receiver;
let processes: ServiceProcess[];

beforeAll(async () => {
  receiver = await startReceiver();
  const env = {
    SVC_ROOT_KEY: randomBytes(32).toString('base64'),
    SVC_ALLOWED_ORIGINS: `webhooks=${receiver.origin}`,
  };
  const first = await newSettings({ env });
  processes = [];
  for (let at = 0; at < PROCESSES; at += 1) {
    const own = at === 0 ? first : { ...first, port: await newPort(), data: newDataFolder() };
    processes.push(await startProcess(own));
  }
});
afterAll(async () => {
  await Promise.all(processes.map(({ kill }) => kill()));
  await receiver.stop();
});

/** Sends a request to each process in turn, and to the next one if it does not respond. */
function createCall(applications: readonly Awaited<ReturnType<typeof signIn>>[]) {
  let turn = 0;
  return async (method: string, path: string, body: unknown) => {
    turn += 1;
    return applications[turn % applications.length]?.call(method, path, { body });
  };
}

test(`F1: events reach the endpoint although ${PROCESSES === 1 ? 'the' : 'a'} process is killed during deliveries`, async () => {
  const call = createCall(await Promise.all(processes.map(signIn)));
  receiver.answer('/hook', (response) => void setTimeout(() => response.writeHead(204).end(), 200));
  const endpoint = { url: `${receiver.origin}/hook`, types: ['account.authorized'] };
  expect((await call('POST', '/v1/webhook-endpoints', endpoint))?.status).toBe(201);
  await call('POST', '/v1/connections', {
    connectionName: 'calls',
    connector: 'convintel',
    baseUrl: 'https://10.0.0.1',
  });
  // Other instances see the endpoint a second later.
  await wait(1500);
  const acknowledged: string[] = [];
  for (let at = 0; at < EVENTS; at += 1) {
    const path = `/v1/connections/calls/accounts/user_${at}`;
    const reply = await call('PUT', path, { bearerToken: 'sandbox-token', verify: false });
    if (reply?.status === 201) acknowledged.push(`user_${at}`);
  }
  expect(acknowledged).toHaveLength(EVENTS);
  await vi.waitFor(() => expect(receiver.received('/hook').length).toBeGreaterThan(5), 10_000);
  const [killed] = processes;
  await killed?.kill();
  expect(receiver.received('/hook').length).toBeLessThan(EVENTS);
  if (killed) processes[0] = await startProcess(killed);
  const seen = () =>
    receiver.received('/hook').map(({ id, body }) => `${JSON.parse(body).data.identifier} ${id}`);
  await vi.waitFor(() => expect(new Set(seen()).size).toBe(EVENTS), { timeout: LEASE_MS, interval: 250 });
  await wait(1000);
  const identifiers = [...new Set(seen())].map((each) => each.split(' ')[0]);
  expect(identifiers.toSorted()).toEqual(acknowledged.toSorted());
  // A delivery is repeated only if the process was killed before it stored the outcome.
  expect(seen().length - EVENTS).toBeLessThanOrEqual(4);
}, 120_000);
