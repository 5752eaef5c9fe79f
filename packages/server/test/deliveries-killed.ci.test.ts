import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { type Application, signIn } from './application.js';
import { newPort } from './new-port.js';
import { newDataFolder, newSettings, type ServiceProcess, startProcess } from './service-process.js';
import { isFull } from './support/rounds.js';
import { type Receiver, startReceiver } from './support/start-receiver.js';
import { acceptAll, acceptNothing, acceptUnreliably } from './support/unreliable-receiver.js';

// Number of events. Before a release: 100,000.
const EVENTS = Number(process.env['SVC_TEST_EVENTS'] ?? (isFull ? 1500 : 300));
// SQLite has one process, PostgreSQL several.
const PROCESSES = inject('postgres') === undefined ? 1 : 4;
const WRITERS = 16;
const KILL_EVERY_MS = 4000;
/** Time in milliseconds for the leases of killed processes, requests without a response, and their retries. */
const LAST_MS = 120_000;
const TIMEOUT_MS = 300_000 + EVENTS * 100;

let receiver: Receiver;
let processes: ServiceProcess[];
/** Signed-in applications by the index of their process. */
const applications = new Map<number, Promise<Application>>();

beforeAll(async () => {
  receiver = await startReceiver({ isRecording: false });
  const env = {
    SVC_ROOT_KEY: randomBytes(32).toString('base64'),
    SVC_ALLOWED_ORIGINS: `webhooks=${receiver.origin}`,
  };
  const first = await newSettings({ env });
  const startNext = async () => startProcess({ ...first, port: await newPort(), data: newDataFolder() });
  processes = [await startProcess(first)];
  processes.push(...(await Promise.all(Array.from({ length: PROCESSES - 1 }, startNext))));
}, 180_000);
afterAll(async () => {
  await Promise.all(processes.map(({ kill }) => kill()));
  await receiver.stop();
});

function applicationAt(index: number): Promise<Application> {
  const process = processes[index];
  if (process === undefined) throw new Error(`There is no process ${index}.`);
  const application = applications.get(index) ?? signIn(process);
  applications.set(index, application);
  return application;
}

/** Sends a request to the processes in turn until one of them responds without an error of the service. */
async function call(turn: number, method: string, path: string, body?: unknown) {
  for (let attempt = turn; ; attempt += 1) {
    const index = attempt % PROCESSES;
    try {
      const reply = await (await applicationAt(index)).call(method, `/v1${path}`, { body });
      if (reply.status < 500 && reply.status !== 401) return reply;
    } catch {
      // The process was killed.
    }
    applications.delete(index);
    await wait(50);
  }
}

async function createEndpoint(path: string): Promise<void> {
  const body = { url: receiver.origin + path, types: ['account.authorized'] };
  expect((await call(0, 'POST', '/webhook-endpoints', body)).status).toBe(201);
}

/** Kills one process after the other and starts it again, until the signal aborts. */
async function killInTurn(signal: AbortSignal): Promise<number> {
  let kills = 0;
  while (!signal.aborted) {
    await wait(KILL_EVERY_MS);
    const index = kills % PROCESSES;
    const killed = processes[index];
    if (killed === undefined) break;
    await killed.kill();
    processes[index] = await startProcess(killed);
    kills += 1;
  }
  return kills;
}

/** Connects accounts, each of which causes an event. Returns the user identifiers. */
async function connectAll(): Promise<readonly string[]> {
  const connected: string[] = [];
  let begun = 0;
  async function connectSome(): Promise<void> {
    for (let at = begun++; at < EVENTS; at = begun++) {
      const path = `/connections/calls/accounts/user_${at}`;
      const reply = await call(at, 'PUT', path, { bearerToken: 'sandbox-token', verify: false });
      expect(reply.status, reply.text).toBeLessThan(300);
      connected.push(`user_${at}`);
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, connectSome));
  return connected;
}

interface Page {
  readonly items: readonly { readonly id: string; readonly data: { readonly identifier: string } }[];
  readonly nextPageToken?: string;
}

/** Lists all events, by their ids. */
async function listEvents(): Promise<ReadonlyMap<string, string>> {
  const events = new Map<string, string>();
  for (let token: string | undefined, isMore = true; isMore; ) {
    const next = token === undefined ? '' : `&pageToken=${token}`;
    const page = (await call(0, 'GET', `/events?pageSize=100${next}`)).json<Page>();
    for (const { id, data } of page.items) events.set(id, data.identifier);
    token = page.nextPageToken;
    isMore = token !== undefined;
  }
  return events;
}

test(
  `F1: no event is lost although ${PROCESSES === 1 ? 'the process is' : 'processes are'} killed every few seconds and endpoints fail, hang, reset and answer late`,
  async () => {
    const good = acceptAll(receiver, '/good');
    const unreliable = acceptUnreliably(receiver, '/unreliable');
    const stuck = acceptNothing(receiver, '/stuck');
    for (const path of ['/good', '/unreliable', '/stuck']) await createEndpoint(path);
    const connection = { connectionName: 'calls', connector: 'convintel', baseUrl: 'https://10.0.0.1' };
    expect((await call(0, 'POST', '/connections', connection)).status).toBe(201);

    const stop = new AbortController();
    const killing = killInTurn(stop.signal);
    const connected = await connectAll();
    await wait(2 * KILL_EVERY_MS);
    stop.abort();
    expect(await killing).toBeGreaterThan(1);

    const events = await listEvents();
    expect(new Set(events.values())).toEqual(new Set(connected));
    for (const log of [good, unreliable]) {
      const options = { timeout: LAST_MS + EVENTS * 10, interval: 500 };
      await vi.waitFor(() => expect(log.accepted.size).toBeGreaterThanOrEqual(events.size), options);
      expect(new Set(log.accepted.keys())).toEqual(new Set(events.keys()));
      expect([...log.changed]).toEqual([]);
    }
    expect(stuck.requests).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);
