import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { newPort } from '../support/processes/new-port.js';
import { parseMetrics, type Scraped, sumOf } from '../support/requests/prometheus.js';
import { type Application, fetchReply, signIn } from '../support/service/application.js';
import { connectApart } from '../support/service/connect-apart.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';
import { executeTool } from '../support/tools/execute-tool.js';

const LIST = '/calendar/v3/users/me/calendarList';
const MISSING = '/calendar/v3/calendars/none/events';

let service: Service;
let application: Application;
let metricsUrl: string;

beforeAll(async () => {
  const port = await newPort();
  service = await startService({
    connectors: ['calendar', 'workspace'],
    flags: ['--metrics-port', String(port)],
  });
  await service.app.listen({ host: '127.0.0.1', port });
  metricsUrl = `http://127.0.0.1:${port}/metrics`;
  application = await signIn(service);
});
afterAll(() => service.stop());

async function scrape(): Promise<readonly Scraped[]> {
  const reply = await fetchReply(metricsUrl);
  expect(reply.status, reply.text).toBe(200);
  return parseMetrics(reply.text);
}

type Expected = readonly [name: string, labels: Readonly<Record<string, string>>, change: number];

/**
 * Runs `work` between two scrapes, and compares how much each of the metrics has changed. Scrapes again until they
 * agree, because a request is counted a moment after its response.
 */
async function expectChanges(work: () => Promise<unknown>, expected: readonly Expected[]): Promise<void> {
  const before = await scrape();
  await work();
  await vi.waitFor(async () => {
    const after = await scrape();
    const changes = expected.map(([name, labels]): Expected => {
      return [name, labels, sumOf(after, name, labels) - sumOf(before, name, labels)];
    });
    expect(changes).toEqual(expected);
  }, 20_000);
}

const proxied = (path: string, identifier = 'ada') =>
  application.call('GET', `/v1/proxy/calendar/${identifier}${path}`);

describe('the metrics', () => {
  test('are Prometheus text of version 0.0.4 with the state of the service', async () => {
    const reply = await fetchReply(metricsUrl);
    expect(reply.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const samples = parseMetrics(reply.text);
    const numberOf = (name: string) => samples.find((sample) => sample.name === name)?.value;
    expect(samples.find(({ name }) => name === 'svc_build_info')?.labels).toEqual({
      version: '0.0.0',
      node: process.version,
    });
    expect(numberOf('svc_ready')).toBe(1);
    expect(numberOf('process_resident_memory_bytes')).toBeGreaterThan(1e7);
    expect(numberOf('process_cpu_seconds_total')).toBeGreaterThan(0);
    expect(numberOf('process_start_time_seconds')).toBeGreaterThan(1.7e9);
    expect(numberOf('svc_response_memory_limit_bytes')).toBe(128 * 2 ** 20);
    expect(sumOf(samples, 'svc_database_connections', { pool: 'queries' })).toBeGreaterThan(0);
    expect(sumOf(samples, 'svc_event_loop_delay_seconds')).toBeGreaterThanOrEqual(0);
  });

  test('count proxied requests by connector and status', async () => {
    await connectAccount(service, 'calendar', 'ada');
    const statuses: number[] = [];
    await expectChanges(async () => {
      for (const path of [LIST, LIST, MISSING]) statuses.push((await proxied(path)).status);
    }, [
      ['svc_proxy_requests_total', { connector: 'calendar', status: '2xx' }, 2],
      ['svc_proxy_requests_total', { connector: 'calendar', status: '4xx' }, 1],
      ['svc_http_requests_total', { route: '/v1/proxy/*', method: 'GET', status: '2xx' }, 2],
      ['svc_http_requests_total', { route: '/v1/proxy/*', method: 'GET', status: '4xx' }, 1],
      ['svc_http_request_duration_seconds_count', { route: '/v1/proxy/*' }, 3],
      ['svc_upstream_requests_total', { connector: 'calendar', outcome: '2xx' }, 2],
      ['svc_upstream_requests_total', { connector: 'calendar', outcome: '4xx' }, 1],
      ['svc_upstream_request_duration_seconds_count', { connector: 'calendar' }, 3],
      ['svc_http_errors_total', {}, 0],
    ]);
    expect(statuses).toEqual([200, 200, 404]);
  });

  test('count tool calls by tool and outcome, and errors by code', async () => {
    const { id: connectedAccountId } = await connectAccount(service, 'workspace', 'ada');
    const run = (toolName: string, toolInput: object) =>
      executeTool(application, toolName, { connectedAccountId, toolInput });
    const tool = { connector: 'workspace', tool: 'workspace_users_list' };
    await expectChanges(async () => {
      await run('workspace_users_list', {});
      await run('workspace_users_list', { page_size: 'many' });
      await service.sandbox.dials('workspace', { failNext: { count: 1, status: 400 } });
      await run('workspace_users_list', {});
      await run('workspace_invented', {});
    }, [
      ['svc_tool_calls_total', { ...tool, outcome: 'ok' }, 1],
      ['svc_tool_calls_total', { ...tool, outcome: 'refused' }, 2],
      ['svc_tool_calls_total', {}, 3],
      ['svc_http_errors_total', { code: 'invalid_input' }, 1],
      ['svc_http_errors_total', { code: 'upstream_failed' }, 1],
      ['svc_http_errors_total', { code: 'tool_not_found' }, 1],
      ['svc_http_requests_total', { route: '/v1/tools/:toolName/execute', method: 'POST' }, 4],
    ]);
  });

  test('count requests of routes that Fastify handles', async () => {
    await expectChanges(async () => {
      await application.call('GET', '/v1/connections');
      await application.call('GET', '/v1/connections/none');
      await fetchReply(`${service.url}/v1/connections`);
      await fetchReply(`${service.url}/nowhere`);
    }, [
      ['svc_http_requests_total', { route: '/v1/connections', status: '2xx' }, 1],
      ['svc_http_requests_total', { route: '/v1/connections/:connectionName', status: '4xx' }, 1],
      ['svc_http_requests_total', { route: '/v1/connections', status: '4xx' }, 1],
      ['svc_http_requests_total', { route: 'none', status: '4xx' }, 1],
      ['svc_http_errors_total', { code: 'unauthorized' }, 1],
    ]);
  });

  test('count token refreshes by outcome', async () => {
    const account = await connectApart(service, 'calendar');
    const read = async () => {
      await service.sandbox.expireTokens('calendar');
      const { connectionName, identifier } = account;
      return (await application.call('GET', `/v1/proxy/${connectionName}/${identifier}${LIST}`)).status;
    };
    const statuses: number[] = [];
    const failNext = (body: object, status: number) =>
      service.sandbox.dials('calendar', { failNext: { count: 2, status, body, match: { path: '/token' } } });
    const calendar = { connector: 'calendar' };
    await expectChanges(async () => {
      statuses.push(await read());
      await failNext({ error: 'invalid_client' }, 401);
      statuses.push(await read());
      await service.sandbox.dials('calendar', { failNext: null });
    }, [
      ['svc_token_refreshes_total', { ...calendar, outcome: 'ok' }, 1],
      ['svc_token_refreshes_total', { ...calendar, outcome: 'client_refused' }, 1],
      ['svc_token_refreshes_total', calendar, 2],
    ]);
    const other = await connectApart(service, 'calendar');
    await service.sandbox.expireTokens('calendar');
    await expectChanges(async () => {
      await service.sandbox.revokeGrants('calendar');
      const path = `/v1/proxy/${other.connectionName}/${other.identifier}${LIST}`;
      statuses.push((await application.call('GET', path)).status);
    }, [
      ['svc_token_refreshes_total', { ...calendar, outcome: 'refused' }, 1],
      ['svc_token_refreshes_total', calendar, 1],
    ]);
    expect(statuses).toEqual([200, 409, 409]);
  });
});

const HOSTILE = 'ada"} 1\n# TYPE x counter\\{';

test('texts of callers appear in no label, and create no time series', async () => {
  const send = (method: string, path: string, headers: Record<string, string> = {}) =>
    fetchReply(service.url + path, {
      method,
      headers: { authorization: `Bearer ${application.accessToken}`, ...headers },
    });
  const marked = (round: number) => encodeURIComponent(`${HOSTILE} marker-${round}`);
  const attack = async (round: number) => {
    const text = marked(round);
    await send('GET', `/v1/proxy/calendar/${text}/${text}?${text}=${text}`);
    await send('GET', `/v1/proxy/calendar/ada/calendar/v3/calendars/${text}/events`);
    await send('GET', `/v1/proxy/${text}/ada${LIST}`);
    await send('POST', `/v1/tools/${text}/execute`);
    await send('POST', `/v1/tools/marker_${round}/execute`);
    await send('PROPFIND', `/v1/connections/${text}`);
    await send('LOCK', `/marker-${round}/${text}`, { 'x-marker': `marker-${round}` });
    await send('GET', `/connect/${text}`);
    await fetchReply(`${metricsUrl}/${text}`);
    await application.call('PUT', `/v1/connections/calendar/accounts/${text}`, { body: {} });
  };
  await connectAccount(service, 'calendar', 'ada');
  await attack(0);
  const keysOf = (text: string) => text.split('\n').map((line) => line.slice(0, line.lastIndexOf(' ')));
  const first = keysOf((await fetchReply(metricsUrl)).text);
  for (let round = 1; round < 5; round += 1) await attack(round);
  const { text } = await fetchReply(metricsUrl);
  expect(text).not.toContain('marker');
  expect(keysOf(text)).toEqual(first);
  const samples = parseMetrics(text);
  const allowed = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'other'];
  expect(samples.filter(({ labels: { method = 'GET' } }) => !allowed.includes(method))).toEqual([]);
  expect(sumOf(samples, 'svc_http_requests_total', { method: 'other' })).toBe(10);
  expect(Buffer.byteLength(text)).toBeLessThan(200_000);
});

describe('the metrics port', () => {
  test('sends no body to HEAD', async () => {
    const reply = await fetchReply(metricsUrl, { method: 'HEAD' });
    expect([reply.status, reply.text]).toEqual([200, '']);
  });

  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('refuses %s', async (method) => {
    const reply = await fetchReply(metricsUrl, { method });
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  test.each(['/', '/healthz', '/v1/connections', '/metrics/x', '/openapi.json', '/dashboard'])(
    'does not serve %s',
    async (path) => {
      expect((await fetchReply(new URL(path, metricsUrl).href)).status).toBe(404);
    },
  );

  test('is the only port that serves the metrics', async () => {
    expect((await fetchReply(`${service.url}/metrics`)).status).toBe(404);
    expect((await fetchReply(`${service.proxyUrl}/metrics`)).status).toBe(401);
  });
});

test('the page about running the service describes every metric', async () => {
  const page = readFileSync(new URL('../../../docs/run.md', import.meta.url), 'utf8');
  const described = new Set([...page.matchAll(/`((?:svc|process)_[a-z_]+)[`{]/g)].map(([, name]) => name));
  const { text } = await fetchReply(metricsUrl);
  const served = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
  expect(served.filter((name) => !described.has(name))).toEqual([]);
});
