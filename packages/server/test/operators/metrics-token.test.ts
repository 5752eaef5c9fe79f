import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { newPort } from '../support/processes/new-port.js';
import { parseMetrics, sumOf } from '../support/requests/prometheus.js';
import { fetchReply } from '../support/service/application.js';
import { DEFAULT_LIMITS } from '../support/service/raised-limits.js';
import { type Service, startService } from '../support/service/service.js';

const TOKEN = 'a-metrics-token-of-this-test';

beforeAll(() => {
  // Rate limits use a fake clock that stands still, so that the numbers of refusals are exact.
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterAll(() => {
  vi.useRealTimers();
});

async function start(withPort: boolean): Promise<{ readonly service: Service; readonly url: string }> {
  const port = await newPort();
  const service = await startService({
    connectors: ['calendar'],
    flags: withPort ? ['--metrics-port', String(port)] : [],
    env: { ...DEFAULT_LIMITS, SVC_METRICS_TOKEN: TOKEN },
  });
  if (!withPort) return { service, url: `${service.url}/metrics` };
  await service.app.listen({ host: '127.0.0.1', port });
  return { service, url: `http://127.0.0.1:${port}/metrics` };
}

describe.each([
  { title: 'the port of the service', withPort: false },
  { title: 'the metrics port', withPort: true },
])('a metrics token on $title', ({ withPort }) => {
  let service: Service;
  let url: string;

  beforeAll(async () => {
    ({ service, url } = await start(withPort));
  });
  afterAll(() => service.stop());

  const read = (authorization?: string, method = 'GET') =>
    fetchReply(url, { method, ...(authorization !== undefined && { headers: { authorization } }) });

  test.each(['Bearer', 'bearer', 'BEARER'])('gives access to the metrics as %s', async (scheme) => {
    const reply = await read(`${scheme} ${TOKEN}`);
    expect(reply.status).toBe(200);
    expect(sumOf(parseMetrics(reply.text), 'svc_ready')).toBe(1);
    expect((await read(`Bearer ${TOKEN}`, 'POST')).status).toBe(405);
  });

  test.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    TOKEN,
    `Basic ${TOKEN}`,
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.slice(1)}`,
    `Bearer ${TOKEN.toUpperCase()}`,
  ])('is required instead of %s', async (authorization) => {
    const reply = await read(authorization);
    expect([reply.status, reply.text]).toEqual([401, 'Unauthorized.\n']);
    expect(reply.headers.get('www-authenticate')).toBe('Bearer');
  });

  test('A9: cannot be guessed faster than the rate limit of an address allows', async () => {
    vi.advanceTimersByTime(10_000);
    const statuses: number[] = [];
    for (let index = 0; index < 110; index += 1) statuses.push((await read(`Bearer guess-${index}`)).status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(100);
    expect(statuses.slice(100)).toEqual(Array(10).fill(429));
    expect((await read(`Bearer ${TOKEN}`)).status).toBe(429);
    vi.advanceTimersByTime(1000);
    const { text } = await read(`Bearer ${TOKEN}`);
    expect(sumOf(parseMetrics(text), 'svc_rate_limit_refusals_total', { limit: 'address' })).toBe(11);
  });
});

test('without a port and a token, no port serves metrics', async () => {
  const service = await startService({ connectors: ['calendar'] });
  try {
    expect((await fetchReply(`${service.url}/metrics`)).status).toBe(404);
  } finally {
    await service.stop();
  }
});
