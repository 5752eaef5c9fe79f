import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Receiver, startReceiver } from '../support/events/start-receiver.js';
import { newPort } from '../support/processes/new-port.js';
import {
  newDataFolder,
  newSettings,
  type ServiceProcess,
  startProcess,
} from '../support/processes/service-process.js';
import { type Application, signIn } from '../support/service/application.js';

const PROCESSES = 3;
const ACCOUNTS = 15;
const RESPONSE_MS = 60;
const FAILURES = 24;

let receiver: Receiver;
let processes: ServiceProcess[];
let applications: Application[];

beforeAll(async () => {
  receiver = await startReceiver();
  const env = {
    SVC_ROOT_KEY: randomBytes(32).toString('base64'),
    SVC_ALLOWED_ORIGINS: `webhooks=${receiver.origin}`,
  };
  const first = await newSettings({ env });
  processes = [await startProcess(first)];
  for (let at = 1; at < PROCESSES; at += 1)
    processes.push(await startProcess({ ...first, port: await newPort(), data: newDataFolder() }));
  applications = await Promise.all(processes.map(signIn));
});
afterAll(async () => {
  await Promise.all(processes.map(({ kill }) => kill()));
  await receiver.stop();
});

const callAt = (turn: number, method: string, path: string, body?: unknown) =>
  applications[turn % PROCESSES]?.call(method, `/v1${path}`, { body });

/** Counts the requests to a path that wait for their response. Default: status 204 after `RESPONSE_MS`. */
function answerSlowly(path: string, { status = 204, ms = RESPONSE_MS } = {}) {
  const counts = { now: 0, most: 0 };
  receiver.answer(path, (response) => {
    counts.now += 1;
    counts.most = Math.max(counts.most, counts.now);
    setTimeout(() => {
      counts.now -= 1;
      response.writeHead(status).end();
    }, ms);
  });
  return counts;
}

test('F5: several instances deliver each event once, and send an ordered endpoint one request at a time, in order', async () => {
  const types = ['account.authorized', 'account.deleted'];
  const ordered = answerSlowly('/ordered');
  await callAt(0, 'POST', '/webhook-endpoints', { url: `${receiver.origin}/usual`, types });
  await callAt(1, 'POST', '/webhook-endpoints', { url: `${receiver.origin}/ordered`, types, ordered: true });
  await callAt(2, 'POST', '/connections', {
    connectionName: 'calls',
    connector: 'convintel',
    baseUrl: 'https://10.0.0.1',
  });
  const account = (at: number) => `/connections/calls/accounts/user_${at}`;
  for (let at = 0; at < ACCOUNTS; at += 1) {
    await callAt(at, 'PUT', account(at), { bearerToken: 'sandbox-token', verify: false });
    await callAt(at + 1, 'DELETE', account(at));
  }
  for (const path of ['/usual', '/ordered']) {
    await vi.waitFor(() => expect(receiver.received(path).length).toBeGreaterThanOrEqual(2 * ACCOUNTS), {
      timeout: 30_000,
      interval: 100,
    });
    const ids = receiver.received(path).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  }
  expect(ordered.most).toBe(1);
  for (let at = 0; at < ACCOUNTS; at += 1) {
    const own = receiver
      .received('/ordered')
      .filter(({ body }) => JSON.parse(body).data.identifier === `user_${at}`);
    expect(own.map(({ type }) => type)).toEqual(types);
  }
}, 120_000);

test('F5: all instances together send a failing endpoint at most four requests at a time', async () => {
  const counts = answerSlowly('/failing', { status: 500, ms: 500 });
  const url = `${receiver.origin}/failing`;
  const made = await callAt(0, 'POST', '/webhook-endpoints', { url, types: ['connection.changed'] });
  const { id } = made?.json<{ id: string }>() ?? {};
  const connection = { connectionName: 'failing', connector: 'convintel', baseUrl: 'https://10.0.0.1' };
  await callAt(0, 'POST', '/connections', connection);
  const cause = async (at: number) => {
    const baseUrl = `https://10.0.1.${at}`;
    const reply = await callAt(at, 'PATCH', '/connections/failing', { baseUrl });
    expect(reply?.status, reply?.text).toBe(200);
  };
  await cause(0);
  const isFailing = async () =>
    (await callAt(0, 'GET', `/webhook-endpoints/${id}`))?.json<{ failingSince?: string }>();
  await expect.poll(isFailing).toHaveProperty('failingSince');
  expect(counts.most).toBe(1);
  for (let at = 1; at <= FAILURES; at += 1) await cause(at);
  await expect.poll(() => receiver.received('/failing').length).toBeGreaterThan(FAILURES);
  expect(counts.most).toBe(4);
}, 120_000);

test('a reader that waits at one instance gets the events of the others', async () => {
  const query = '/events?types=connection.changed';
  const connection = { connectionName: 'read', connector: 'convintel', baseUrl: 'https://10.0.0.1' };
  await callAt(0, 'POST', '/connections', connection);
  const begun = await callAt(0, 'GET', `${query}&wait=0&after=latest`);
  const { nextPageToken } = begun?.json<{ nextPageToken: string }>() ?? {};
  const [page, changed] = await Promise.all([
    callAt(0, 'GET', `${query}&wait=20&pageToken=${nextPageToken}`),
    callAt(1, 'PATCH', '/connections/read', { baseUrl: 'https://10.0.0.2' }),
  ]);
  expect(changed?.status, changed?.text).toBe(200);
  expect(page?.json()).toMatchObject({ items: [{ data: { connectionName: 'read' } }] });
});
