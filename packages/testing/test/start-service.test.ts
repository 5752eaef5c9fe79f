import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { calendar } from '@svc/calendar';
import { manage } from '@svc/core';
import { ERROR_STATUS } from '@svc/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FAILURE_STATUS } from '../src/failures.js';
import { type RunningService, startService } from '../src/service.js';

const isFull = process.env['SVC_TEST_FULL'] === '1';
const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('svc-testing-'));
const before = folders();
const own = () => folders().filter((name) => !before.includes(name));

/** CPU time of the start in milliseconds. Unlike elapsed time, it does not depend on other programs. */
let cpuMs = 0;
let service: RunningService;
beforeAll(async () => {
  const begun = process.cpuUsage();
  service = await startService();
  const { user, system } = process.cpuUsage(begun);
  cpuMs = (user + system) / 1000;
});
afterAll(() => service.stop());

test('starts within 1 s of CPU time and has a connection to every upstream', async () => {
  expect(cpuMs).toBeLessThan(1000);
  const { items } = await manage(service.client).connections.list();
  const names = items.map(({ connectionName }) => connectionName);
  expect(names.sort()).toEqual(service.sandbox.upstreams.map(({ id }) => id).sort());
});

// Runs only in full runs, because the first call loads the emulators, which takes as long as the start.
test.runIf(isFull)(
  'connects an account in one call and runs tools in the sandbox, which records their requests',
  async () => {
    const account = await service.authorize({ connectionName: 'calendar', identifier: 'user_42' });
    const events = calendar(service.client, account);
    const { data } = await events.createEvent({ summary: 'Review', start_datetime: '2026-12-01T09:00:00Z' });
    expect((await events.getEventById({ event_id: data.id })).data.summary).toBe('Review');
    const requests = await service.sandbox.requests('calendar');
    expect(requests.at(-1)).toMatchObject({
      method: 'GET',
      status: 200,
      path: expect.stringContaining(data.id),
    });
  },
);

test.runIf(isFull)('authorizes an account of every upstream, with OAuth and with API keys', async () => {
  const statuses = [];
  for (const { id } of service.sandbox.upstreams) {
    const account = await service.authorize({ connectionName: id, identifier: 'gräfin/1', user: 'grace' });
    statuses.push([account.connector, account.status]);
  }
  expect(statuses).toEqual(service.sandbox.upstreams.map(({ id }) => [id, 'authorized']));
});

test('connects several accounts of one user, each with its label', async () => {
  const user = { connectionName: 'network', identifier: 'user_43' };
  const accounts = [await service.authorize({ ...user, account: 'work' }), await service.authorize(user)];
  expect(accounts).toMatchObject([{ ...user, account: 'work', status: 'authorized' }, { ...user }]);
  expect(accounts[1]).not.toHaveProperty('account');
  expect(accounts[0]?.id).not.toBe(accounts[1]?.id);
});

test('provides the proxy URL for clients of vendors', async () => {
  const refused = await fetch(`${service.proxyUrl}/calendar/v3/colors`);
  expect(refused.status).toBe(401);
});

describe.runIf(isFull)('a second test service', () => {
  test('has its own data, settings and upstreams, which are deleted when it stops', async () => {
    const settings = { SVC_RATE_APPLICATION: '1' };
    const other = await startService({ connectors: ['network'], settings });
    expect(own()).toHaveLength(2);
    const list = () =>
      other.client.withOptions({ maxRetries: 0 }).call({ method: 'GET', path: '/v1/connections' });
    await expect(Promise.all(Array.from({ length: 20 }, list))).rejects.toMatchObject({
      code: 'rate_limited',
    });
    await Promise.all([other.stop(), other[Symbol.asyncDispose]()]);
    expect(own()).toHaveLength(1);
    await expect(fetch(other.environmentUrl)).rejects.toThrow('fetch failed');
  });

  test('reports the reason for a failed start and leaves no files', async () => {
    await expect(startService({ settings: { SVC_RATE_ACCOUNT: 'many' } })).rejects.toThrow(
      'SVC_RATE_ACCOUNT is "many". Set it to a whole number of calls per second',
    );
    await expect(startService({ settings: { SVC_CATALOG: '/nowhere' } })).rejects.toThrow('/nowhere');
    expect(own()).toHaveLength(1);
  });
});

test('fakes have exactly the error codes of the service', () => {
  expect(FAILURE_STATUS).toEqual(ERROR_STATUS);
});

test('deletes its temporary folder when it stops', async () => {
  const [folder = ''] = own();
  await service.stop();
  expect(existsSync(`${tmpdir()}/${folder}`)).toBe(false);
});
