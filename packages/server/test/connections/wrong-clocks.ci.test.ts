import { setTimeout as wait } from 'node:timers/promises';
import { type Sandbox, startSandbox } from '@svc/sandbox';
import { expect, test } from 'vitest';
import { newPort } from '../support/processes/new-port.js';
import {
  newDataFolder,
  newSettings,
  type ServiceProcess,
  type ServiceSettings,
  startProcess,
} from '../support/processes/service-process.js';
import { rounds } from '../support/runner/rounds.js';
import { listForSandbox } from '../support/service/allowed-origins.js';
import {
  type Application,
  clientOf,
  connectToSandbox,
  fetchReply,
  signIn,
} from '../support/service/application.js';
import { connectAccount } from '../support/service/service.js';

const CALLS = rounds(10_000, 500);
// Number of batches. A batch has at most 200 calls, because an instance accepts 300 concurrent calls of a connection.
const BATCHES = 50;
const TOKEN_LIFE_S = 8;
const OFF_MS = 300_000;
const API = '/calendar/v3/users/me/calendarList';
const TOKEN_PATH = '/token';
const SHIFT = `--import ${new URL('../support/processes/shifted-clock.ts', import.meta.url)}`;

/** Plans processes with wrong clocks: all on one PostgreSQL database, or each on its own SQLite file. */
async function planProcesses(sandbox: Sandbox): Promise<readonly (readonly ServiceSettings[])[]> {
  const plan = async (offMs: number, given?: ServiceSettings) => {
    const settings = given ?? (await newSettings({ flags: ['--allowed-origins', listForSandbox(sandbox)] }));
    const env = { ...settings.env, NODE_OPTIONS: SHIFT, SVC_TEST_CLOCK_MS: String(offMs) };
    return { ...settings, env, port: await newPort(), data: newDataFolder() };
  };
  const env = { SVC_ROOT_KEY: Buffer.alloc(32, 9).toString('base64') };
  const shared = await newSettings({ flags: ['--allowed-origins', listForSandbox(sandbox)], env });
  if (shared.env?.['DATABASE_URL'] === undefined) return [[await plan(-OFF_MS)], [await plan(OFF_MS)]];
  return [[await plan(-OFF_MS, shared), await plan(OFF_MS, shared), await plan(-60_000, shared)]];
}

interface Running {
  readonly sandbox: Sandbox;
  readonly services: readonly ServiceProcess[];
  readonly application: Application;
}

/** Returns and resets the counts of the upstream: its 401 responses, and token requests. */
async function takeCounts(sandbox: Sandbox) {
  const requests = await sandbox.requests();
  await sandbox.clearRequests();
  return {
    sent: requests.filter(({ path }) => path === API).length,
    refused: requests.filter(({ path, status }) => path === API && status === 401).length,
    tokens: requests.filter(({ path }) => path === TOKEN_PATH).length,
  };
}

/** Calls with one account through all processes, one after the other, for 2.5 lifetimes of a token. */
async function callAll({ sandbox, services, application }: Running, identifier: string) {
  const headers = { authorization: `Bearer ${application.accessToken}` };
  const total = { sent: 0, refused: 0, tokens: 0, failed: 0 };
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const calls = Array.from({ length: CALLS / BATCHES }, (_, index) => {
      const { url } = services[index % services.length] ?? { url: '' };
      return fetchReply(`${url}/v1/proxy/calendar/${identifier}${API}`, { headers });
    });
    total.failed += (await Promise.all(calls)).filter(({ status }) => status !== 200).length;
    const { sent, refused, tokens } = await takeCounts(sandbox);
    total.sent += sent;
    total.refused += refused;
    total.tokens += tokens;
    await wait((2.5 * TOKEN_LIFE_S * 1000) / BATCHES);
  }
  return total;
}

/** Returns the offset of each process's clock in ms, rounded to minutes, from the times of its executions. */
async function clocksOf(services: readonly ServiceProcess[], { accessToken }: Application) {
  const headers = { authorization: `Bearer ${accessToken}` };
  const offsets: number[] = [];
  for (const { url } of services) {
    const reply = await fetchReply(`${url}/v1/proxy/calendar/ada${API}`, { headers });
    expect(reply.status).toBe(200);
    const find = async () => {
      const { items } = (await fetchReply(`${url}/v1/executions`, { headers })).json<{
        items: { requestId: string; startedAt: string }[];
      }>();
      return items.find(({ requestId }) => requestId === reply.headers.get('svc-request-id'))?.startedAt;
    };
    await expect.poll(find, { timeout: 10_000 }).toBeDefined();
    const startedAt = Date.parse((await find()) ?? '');
    offsets.push(Math.round((startedAt - Date.now()) / 60_000) * 60_000);
  }
  return offsets;
}

test(`R9: ${CALLS} calls through processes whose clocks are off by 300 s get no 401 of the upstream`, async ({
  onTestFinished,
}) => {
  const sandbox = await startSandbox({ connectors: ['calendar'] });
  onTestFinished(() => sandbox.stop());
  for (const settings of await planProcesses(sandbox)) {
    await sandbox.dials('calendar', { tokenLifeSeconds: TOKEN_LIFE_S, quotaPerMinute: null });
    const services: ServiceProcess[] = [];
    for (const given of settings) {
      const service = await startProcess(given);
      onTestFinished(service.kill);
      services.push(service);
    }
    const [first] = services;
    if (first === undefined) throw new Error('There is no process.');
    const application = await signIn(first);
    const running = { sandbox, services, application };
    await connectToSandbox(application, sandbox, { id: 'calendar' });
    const svc = clientOf(first, first.url);

    await connectAccount({ svc }, 'calendar', 'ada');
    expect(await clocksOf(services, application)).toEqual(
      settings.map(({ env }) => Number(env?.['SVC_TEST_CLOCK_MS'])),
    );
    await takeCounts(sandbox);
    const total = await callAll(running, 'ada');
    expect(total).toMatchObject({ sent: CALLS, refused: 0, failed: 0 });
    expect(total.tokens).toBeGreaterThanOrEqual(2);
    expect(total.tokens).toBeLessThanOrEqual(10);
  }
}, 600_000);
