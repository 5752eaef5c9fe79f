import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connectSandbox, type Dials, type Sandbox, startSandbox } from '../src/index.js';
import { UPSTREAMS } from '../src/upstreams/upstreams.js';
import { type ApiResponse, type Connected, connect, endpointsOf, REDIRECT_URI } from './authorized.js';

let local: Sandbox;
beforeAll(async () => {
  local = await startSandbox();
});
afterAll(() => local.stop());

describe.each(['in process', 'over HTTP'])('the sandbox controls %s', (where) => {
  let sandbox: Sandbox;
  let ada: Connected;
  beforeEach(async () => {
    await local.reset();
    sandbox = where === 'in process' ? local : await connectSandbox(local.url);
    ada = await connect(sandbox, 'calendar');
    await sandbox.clearRequests();
  });
  const calendars = (query = ''): Promise<ApiResponse> =>
    ada.call('GET', `/calendar/v3/users/me/calendarList${query}`);
  const statuses = async (count: number): Promise<number[]> => {
    const seen: number[] = [];
    for (let index = 0; index < count; index += 1) seen.push((await calendars()).status);
    return seen;
  };

  test('list every upstream with its URLs', () => {
    expect(sandbox.upstreams.map(({ id }) => id)).toEqual(UPSTREAMS.map(({ id }) => id));
    expect(sandbox.upstream('workspace')).toMatchObject({
      baseUrl: `${sandbox.url}/workspace`,
      authorizationEndpoint: `${sandbox.url}/workspace/v1/oauth/authorize`,
      tokenEndpoint: `${sandbox.url}/workspace/v1/oauth/token`,
      revocationEndpoint: `${sandbox.url}/workspace/v1/oauth/revoke`,
      scopes: [],
    });
    expect(() => sandbox.upstream('nothing')).toThrow(/run the upstream "nothing"/);
  });

  test.each<{ title: string; dials: Partial<Dials>; expected: number[] }>([
    {
      title: 'the next two requests',
      dials: { failNext: { count: 2, status: 503 } },
      expected: [503, 503, 200, 200],
    },
    {
      title: 'one request after a successful one',
      dials: { failNext: { count: 1, status: 500, after: 1 } },
      expected: [200, 500, 200, 200],
    },
    {
      title: 'only matching requests',
      dials: { failNext: { count: 9, status: 500, match: { method: 'POST' } } },
      expected: [200, 200, 200, 200],
    },
    { title: 'every second request', dials: { errorRate: 0.5 }, expected: [200, 500, 200, 500] },
    {
      title: 'requests over the rate limit',
      dials: { rateLimit: { requests: 3, perSeconds: 10 } },
      expected: [200, 200, 200, 429],
    },
  ])('make $title fail', async ({ dials, expected }) => {
    await sandbox.dials('calendar', dials);
    expect(await statuses(4)).toEqual(expected);
  });

  test('fail with the error body of the upstream or with a given body', async () => {
    await sandbox.dials('calendar', { failNext: { count: 1, status: 503 } });
    expect((await calendars()).body.error).toMatchObject({
      code: 503,
      errors: [{ domain: 'global', reason: 'backendError' }],
    });
    await sandbox.dials('calendar', {
      failNext: { count: 1, status: 502, body: { down: true }, headers: { 'x-edge': 'yes' } },
    });
    const response = await calendars();
    expect([response.status, response.body, response.headers.get('x-edge')]).toEqual([
      502,
      { down: true },
      'yes',
    ]);
  });

  test('fail the token endpoint only if the path matches', async () => {
    await sandbox.dials('calendar', { failNext: { count: 1, status: 500 } });
    const token = () =>
      fetch(endpointsOf(sandbox, 'calendar').tokenEndpoint, {
        method: 'POST',
        body: new URLSearchParams({ grant_type: 'refresh_token' }),
      });
    expect((await token()).status).not.toBe(500);
    await sandbox.dials('calendar', { failNext: { count: 1, status: 500, match: { path: '/token' } } });
    expect((await token()).status).toBe(500);
  });

  test('limit the request rate and send Retry-After until the window ends', async () => {
    await sandbox.dials('calendar', { rateLimit: { requests: 1, perSeconds: 30 } });
    await calendars();
    const limited = await calendars();
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '30']);
    expect(limited.body.error.errors[0]).toMatchObject({
      domain: 'usageLimits',
      reason: 'rateLimitExceeded',
    });
    await sandbox.clock.advance(30_000);
    expect((await calendars()).status).toBe(200);
  });

  test.each([
    { title: 'an unknown dial', dials: { speed: 1 } },
    { title: 'an error rate above 1', dials: { errorRate: 2 } },
    { title: 'a negative latency', dials: { latencyMs: -1 } },
  ])('refuse $title', async ({ dials }) => {
    await expect(sandbox.dials('calendar', dials)).rejects.toThrow(/dial/);
  });

  test('record requests without their secrets', async () => {
    await calendars('?maxResults=1');
    await fetch(endpointsOf(sandbox, 'calendar').tokenEndpoint, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'secret-value' }),
    });
    const [list, token] = await sandbox.requests('calendar');
    expect(list).toMatchObject({
      upstream: 'calendar',
      method: 'GET',
      path: '/calendar/v3/users/me/calendarList',
      query: { maxResults: '1' },
      headers: { authorization: 'Bearer [hidden]' },
      status: 200,
    });
    expect(token).toMatchObject({
      method: 'POST',
      path: '/token',
      body: { grant_type: 'refresh_token', refresh_token: '[hidden]' },
    });
    expect(JSON.stringify(await sandbox.requests())).not.toMatch(/secret-value|ya29\./);
    expect(await sandbox.requests('workspace')).toEqual([]);
  });

  test('advance and reset the clock', async () => {
    const before = await sandbox.clock.now();
    expect(await sandbox.clock.advance(3_600_000)).toBeGreaterThanOrEqual(before + 3_600_000);
    await sandbox.clock.reset();
    expect(await sandbox.clock.now()).toBeLessThan(before + 60_000);
    await expect(sandbox.clock.advance(-1)).rejects.toThrow();
  });

  test('reset data, dials and tokens and keep clients', async () => {
    await sandbox.dials('calendar', { latencyMs: 1 });
    await ada.call('DELETE', '/calendar/v3/calendars/primary/events/seedlunch');
    await sandbox.reset();
    expect((await calendars()).status).toBe(401);
    expect((await sandbox.dials('calendar')).latencyMs).toBe(0);
    const again = await connect(sandbox, 'calendar');
    expect((await again.call('GET', '/calendar/v3/calendars/primary/events/seedlunch')).body.status).toBe(
      'confirmed',
    );
  });

  test('refuse a client without an absolute redirect URI or of an unknown upstream', async () => {
    await expect(sandbox.registerClient('calendar', { redirectUris: [] })).rejects.toThrow(/redirect URI/);
    await expect(sandbox.registerClient('calendar', { redirectUris: ['nowhere'] })).rejects.toThrow(
      /absolute/,
    );
    await expect(sandbox.registerClient('nothing', { redirectUris: [REDIRECT_URI] })).rejects.toThrow(
      /nothing/,
    );
  });
});

test('a sandbox starts only the given connectors and refuses unknown ones', async () => {
  const small = await startSandbox({ connectors: ['calendar'] });
  expect(small.upstreams.map(({ id }) => id)).toEqual(['calendar']);
  await small.stop();
  await expect(fetch(small.url)).rejects.toThrow();
  await expect(startSandbox({ connectors: ['nothing'] })).rejects.toThrow(/Use one of: workspace, calendar/);
});
