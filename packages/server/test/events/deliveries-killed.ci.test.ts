import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { type Receiver, startReceiver } from '../support/events/start-receiver.js';
import {
  acceptAll,
  acceptNothing,
  acceptUnreliably,
  type Log,
} from '../support/events/unreliable-receiver.js';
import { newPort } from '../support/processes/new-port.js';
import {
  newDataFolder,
  newSettings,
  type ServiceProcess,
  startProcess,
} from '../support/processes/service-process.js';
import { listEverything } from '../support/requests/list-everything.js';
import { isFull } from '../support/runner/rounds.js';
import { type Application, signIn } from '../support/service/application.js';

// `SVC_TEST_EVENTS` sets another number of events, such as 100000. No script sets it.
const EVENTS = Number(process.env['SVC_TEST_EVENTS'] ?? (isFull ? 1500 : 400));
/** Number of events between two kills. It exceeds the number of deliveries that one kill may repeat. */
const EVENTS_PER_KILL = Math.max(100, Math.ceil(EVENTS / 100));
/** Maximum number of requests that a process has open to one endpoint, so that a kill may repeat them. */
const MOST_OPEN = 64;
// SQLite has one process, PostgreSQL several.
const PROCESSES = inject('postgres') === undefined ? 1 : 4;
const WRITERS = 16;
/** Connections of the accounts. Each has an unreliable endpoint of its own, because such an endpoint is slow. */
const CONNECTIONS = Array.from({ length: Math.ceil(EVENTS / 5000) }, (_, index) => `calls_${index}`);
const NUMBERS = Array.from({ length: EVENTS }, (_, index) => index);
const userOf = (index: number) => `user_${index}`;
const connectionOf = (index: number) => CONNECTIONS[index % CONNECTIONS.length];
/** Maximum time in milliseconds for a request, including the restart of the process that must respond to it. */
const CALL_MS = 60_000;
/** Time in milliseconds for the leases of killed processes, requests without a response, and their retries. */
const LAST_MS = 120_000;
/** Milliseconds per event in which an endpoint accepts all events that fails, hangs, resets or answers late. */
const UNRELIABLE_MS = 100;
const TIMEOUT_MS = 300_000 + EVENTS * 300;

let receiver: Receiver;
const processes: ServiceProcess[] = [];
/** Signed-in applications by the index of their process. */
const applications = new Map<number, Promise<Application>>();

beforeAll(async () => {
  receiver = await startReceiver({ isRecording: false });
  const env = {
    SVC_ROOT_KEY: randomBytes(32).toString('base64'),
    SVC_ALLOWED_ORIGINS: `webhooks=${receiver.origin}`,
  };
  const first = await newSettings({ env });
  const startNext = async () =>
    processes.push(await startProcess({ ...first, port: await newPort(), data: newDataFolder() }));
  processes.push(await startProcess(first));
  await waitForAll(Array.from({ length: PROCESSES - 1 }, startNext));
}, 180_000);
afterAll(async () => {
  try {
    await waitForAll(processes.map(({ kill }) => kill()));
  } finally {
    await receiver.stop();
  }
});

/** Waits for all tasks, also after one has failed, so that none goes on after the test. */
async function waitForAll(tasks: readonly Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(tasks);
  await Promise.all(tasks);
}

function applicationAt(index: number): Promise<Application> {
  const process = processes[index];
  if (process === undefined) throw new Error(`There is no process ${index}.`);
  const application = applications.get(index) ?? signIn(process);
  applications.set(index, application);
  return application;
}

/** Sends a request to the processes in turn until one of them responds without an error of the service. */
async function call(turn: number, method: string, path: string, body?: unknown) {
  const deadline = performance.now() + CALL_MS;
  let last = '';
  for (let attempt = turn; performance.now() < deadline; attempt += 1) {
    const index = attempt % PROCESSES;
    try {
      const reply = await (await applicationAt(index)).call(method, `/v1${path}`, { body });
      if (reply.status < 500 && reply.status !== 401) return reply;
      last = reply.text;
    } catch (error) {
      // The process was killed.
      last = String(error);
    }
    applications.delete(index);
    await wait(50);
  }
  throw new Error(`No process has responded to ${method} ${path} within ${CALL_MS} ms: ${last}`);
}

async function createEndpoint(path: string, connectionName: string | null = null): Promise<void> {
  const body = { url: receiver.origin + path, types: ['account.authorized'], connectionName };
  expect((await call(0, 'POST', '/webhook-endpoints', body)).status).toBe(201);
}

/** Kills a process, and starts it again. */
async function restart(index: number): Promise<void> {
  const killed = processes[index];
  if (killed === undefined) throw new Error(`There is no process ${index}.`);
  await killed.kill();
  processes[index] = await startProcess(killed);
}

/** Connects the accounts with these numbers, each of which causes an event. Calls `onHalf` when half are connected. */
async function connectSome(numbers: readonly number[], onHalf: () => void): Promise<void> {
  const waiting = numbers.values();
  let connected = 0;
  async function write(): Promise<void> {
    for (const at of waiting) {
      const body = { bearerToken: 'sandbox-token', verify: false };
      const reply = await call(at, 'PUT', `/connections/${connectionOf(at)}/accounts/${userOf(at)}`, body);
      expect(reply.status, reply.text).toBeLessThan(300);
      connected += 1;
      if (connected === Math.ceil(numbers.length / 2)) onHalf();
    }
  }
  await waitForAll(Array.from({ length: WRITERS }, write));
}

/** Connects all accounts, and kills one process after the other meanwhile. Returns the number of kills. */
async function connectAndKill(): Promise<number> {
  let kills = 0;
  for (let from = 0; from < EVENTS; from += EVENTS_PER_KILL) {
    const numbers = NUMBERS.slice(from, from + EVENTS_PER_KILL);
    const half = Promise.withResolvers<void>();
    const restarting = half.promise.then(() => restart(kills % PROCESSES));
    await waitForAll([connectSome(numbers, half.resolve).finally(half.resolve), restarting]);
    kills += 1;
  }
  return kills;
}

interface ListedEvent {
  readonly id: string;
  readonly data: { readonly identifier: string };
}

const listEvents = () => listEverything<ListedEvent>((path) => call(0, 'GET', path), '/events?pageSize=100');

interface Expected {
  /** Records of endpoints that together get each event once. */
  readonly logs: readonly Log[];
  /** Maximum number of accepted requests that repeat another one. */
  readonly mostRepeated: number;
}

/** Waits until the endpoints have accepted all events, and checks that they got nothing else and few events twice. */
async function expectAll(ids: ReadonlySet<string>, { logs, mostRepeated }: Expected): Promise<void> {
  const sum = (numberOf: (log: Log) => number) => logs.reduce((all, log) => all + numberOf(log), 0);
  const countAccepted = () => sum(({ accepted }) => accepted.size);
  // A failing endpoint gets few requests at once, so it may have most of its events left when the last is written.
  const options = { timeout: LAST_MS + (EVENTS / logs.length) * UNRELIABLE_MS, interval: 500 };
  await vi.waitFor(() => expect(countAccepted()).toBeGreaterThanOrEqual(ids.size), options);
  expect(new Set(logs.flatMap(({ accepted }) => [...accepted.keys()]))).toEqual(ids);
  expect(logs.flatMap(({ changed }) => [...changed])).toEqual([]);
  expect(sum(({ requests, failures }) => requests - failures) - ids.size).toBeLessThanOrEqual(mostRepeated);
}

test(
  `F1: no event is lost although ${PROCESSES === 1 ? 'the process is' : 'processes are'} killed at work and endpoints fail, hang, reset and answer late`,
  async () => {
    const good = acceptAll(receiver, '/good');
    const stuck = acceptNothing(receiver, '/stuck');
    for (const path of ['/good', '/stuck']) await createEndpoint(path);
    const unreliable: Log[] = [];
    for (const connectionName of CONNECTIONS) {
      const connection = { connectionName, connector: 'convintel', baseUrl: 'https://10.0.0.1' };
      expect((await call(0, 'POST', '/connections', connection)).status).toBe(201);
      unreliable.push(acceptUnreliably(receiver, `/${connectionName}`));
      await createEndpoint(`/${connectionName}`, connectionName);
    }

    const kills = await connectAndKill();
    expect(kills).toBeGreaterThan(1);

    // An event appears in the list when a process has created its deliveries.
    const users = new Set(NUMBERS.map(userOf));
    const events = await vi.waitFor(
      async () => {
        const listed = await listEvents();
        expect(new Set(listed.map(({ data }) => data.identifier))).toEqual(users);
        return listed;
      },
      { timeout: LAST_MS, interval: 500 },
    );
    const ids = new Set(events.map(({ id }) => id));
    await expectAll(ids, { logs: [good], mostRepeated: kills * MOST_OPEN });
    await expectAll(ids, { logs: unreliable, mostRepeated: kills * MOST_OPEN * unreliable.length });
    expect(stuck.requests).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);
