import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Application, signIn } from '../support/service/application.js';
import { addApplication } from '../support/service/second-application.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';

interface Execution {
  readonly id: string;
  readonly durationMs: number;
}

let service: Service;
let application: Application;
const accounts: Record<string, string> = {};

beforeAll(async () => {
  // Retries wait for a random part of a second or more. A random number of 0 removes the wait.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  service = await startService({ connectors: ['calendar', 'scrapermcp', 'video'] });
  application = await signIn(service);
  for (const name of ['calendar', 'scrapermcp', 'video'])
    accounts[name] = (await connectAccount(service, name, 'ada')).id;
});
afterEach(() => service.sandbox.dials('video', { failNext: null }));
afterAll(() => service.stop());

const get = (path: string) => application.call('GET', path);
const executeAs = (connectionName: string, toolName: string, toolInput: object) =>
  application.call('POST', `/v1/tools/${toolName}/execute`, {
    body: { connectedAccountId: accounts[connectionName], toolInput },
  });

async function newest(): Promise<Execution & Readonly<Record<string, unknown>>> {
  const { items } = (await get('/v1/executions?pageSize=1')).json<{ items: readonly Execution[] }>();
  return (await get(`/v1/executions/${items[0]?.id}`)).json();
}

describe('an execution', () => {
  test('records its request, account and upstream time', async () => {
    await executeAs('calendar', 'calendar_list_calendars', {});
    const execution = await newest();
    expect(execution).toMatchObject({ attempts: 1, refreshed: false, waitedMs: 0, accountIdentifier: 'ada' });
    expect(execution['upstreamMs']).toBeGreaterThanOrEqual(0);
    expect(execution['upstreamMs']).toBeLessThanOrEqual(execution.durationMs + 1);
  });

  test('records the number of attempts', async () => {
    await service.sandbox.dials('video', { failNext: { count: 2, status: 503 } });
    await executeAs('video', 'video_playlists_list', { part: 'snippet', mine: true });
    expect(await newest()).toMatchObject({ status: 200, upstreamStatus: 200, attempts: 3, refreshed: false });
  });

  test('records a refreshed credential, for tools and the proxy', async () => {
    await service.sandbox.expireTokens('calendar');
    await executeAs('calendar', 'calendar_list_calendars', {});
    expect(await newest()).toMatchObject({ status: 200, attempts: 2, refreshed: true });
    await service.sandbox.expireTokens('calendar');
    await get('/v1/proxy/calendar/ada/calendar/v3/users/me/calendarList');
    expect(await newest()).toMatchObject({ kind: 'proxy', status: 200, attempts: 2, refreshed: true });
  });

  test('records the requests to an MCP server', async () => {
    await executeAs('scrapermcp', 'scrapermcp_search_actors', { keywords: 'web' });
    const execution = await newest();
    expect(execution).toMatchObject({ status: 200, refreshed: false });
    expect(execution['attempts']).toBeGreaterThanOrEqual(1);
  });

  test('records no request for an input that was refused', async () => {
    await executeAs('calendar', 'calendar_list_calendars', { wrong: true });
    const execution = await newest();
    expect(execution).toMatchObject({
      status: 400,
      errorCode: 'invalid_input',
      attempts: 0,
      refreshed: false,
    });
    expect(execution).not.toHaveProperty('upstreamMs');
  });
});

test('A1: executions of another application, deleted executions and unknown ids respond alike', async () => {
  const { id } = await newest();
  const stranger = await addApplication(service);
  for (const { path, call } of [
    { path: id, call: stranger },
    { path: `exec_${'0'.repeat(32)}`, call: application },
    { path: 'exec_1', call: application },
  ]) {
    const reply = await call.call('GET', `/v1/executions/${path}`);
    expect([reply.status, reply.headers.get('svc-error')]).toEqual([404, 'not_found']);
    expect(reply.text).toContain(`There is no execution \\"${path}\\"`);
  }
});

test('the list of executions filters by account, failure and time', async () => {
  const since = new Date().toISOString();
  await executeAs('calendar', 'calendar_list_calendars', { other: true });
  await executeAs('video', 'video_playlists_list', { part: 'snippet', mine: true });
  const read = async (query: string) => {
    const { items } = (await get(`/v1/executions?${query}`)).json<{
      items: readonly { status: number; accountId: string }[];
    }>();
    // Sorts by status, because two executions of the same millisecond have no fixed order.
    return items.map(({ status, accountId }) => [status, accountId] as const).sort(([a], [b]) => a - b);
  };
  const [failed, worked] = [
    [400, accounts['calendar']],
    [200, accounts['video']],
  ];
  expect(await read(`since=${since}`)).toEqual([worked, failed]);
  expect(await read(`since=${since}&failed=true`)).toEqual([failed]);
  expect(await read(`since=${since}&failed=false`)).toEqual([worked, failed]);
  expect(await read(`since=${since}&accountId=${accounts['video']}`)).toEqual([worked]);
  expect(await read(`since=${since}&until=${since}`)).toEqual([]);
  expect((await read(`until=${since}`)).length).toBeGreaterThan(3);
  expect((await get('/v1/executions?since=yesterday')).status).toBe(400);
});

test('the statistics count the calls', async () => {
  const [from, to] = [-60_000, 60_000].map((ms) => new Date(Date.now() + ms).toISOString());
  const count = async (query = '') => {
    const reply = await get(`/v1/execution-statistics?from=${from}&to=${to}${query}`);
    const { points } = reply.json<{ points: readonly { calls: number }[] }>();
    return points.reduce((sum, { calls }) => sum + calls, 0);
  };
  const before = await count('&connectionName=calendar');
  await executeAs('calendar', 'calendar_list_calendars', {});
  expect(await count('&connectionName=calendar')).toBe(before + 1);
  expect(await count()).toBeGreaterThan(before + 1);
  expect(await count('&connectionName=missing')).toBe(0);
});
