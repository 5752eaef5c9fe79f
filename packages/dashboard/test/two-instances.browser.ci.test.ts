import { approve } from '@svc/sandbox';
import type { Page } from 'playwright-core';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { PATHS } from '../src/paths.ts';
import { type Instances, startInstances } from './support/start-instances.ts';
import { visit } from './support/visit.ts';

// A problem must appear and disappear on an open page within this time, on every instance.
const SOON = { timeout: 10_000 };
const SLOW_MS = 400;
const DOWN = { count: 100_000, status: 503 };

let fleet: Instances;
let applicationId: string;
let calendarAccount: string;
const networkAccounts: string[] = [];

const call = <Result>(method: string, path: string, body?: unknown) =>
  fleet.instances[0].operator.call<Result>(method, `/applications/${applicationId}${path}`, body);

async function connectNetwork(): Promise<void> {
  const { baseUrl } = fleet.sandbox.upstream('network');
  await call('POST', '/connections', { connectionName: 'network', connector: 'network', baseUrl });
  for (const identifier of ['ada', 'bob']) {
    const path = `/connections/network/accounts/${identifier}`;
    networkAccounts.push((await call<{ id: string }>('PUT', path, { apiKey: 'sandbox-key' })).id);
  }
}

async function connectCalendar(): Promise<void> {
  const { baseUrl, authorizationEndpoint, tokenEndpoint } = fleet.sandbox.upstream('calendar');
  const { redirectUri } = await call<{ redirectUri: string }>('POST', '/connections', {
    ...{ connectionName: 'calendar', connector: 'calendar' },
    ...{ baseUrl, authorizationEndpoint, tokenEndpoint },
  });
  const client = await fleet.sandbox.registerClient('calendar', { redirectUris: [redirectUri] });
  await call('PATCH', '/connections/calendar', client);
  const account = '/connections/calendar/accounts/ada';
  const { link } = await call<{ link: string }>('POST', `${account}/authorization-link`, {});
  await approve(link, { user: 'ada' });
  calendarAccount = (await call<{ id: string }>('GET', account)).id;
}

const execute = (toolName: string, connectedAccountId = '', toolInput: object = {}): Promise<boolean> =>
  call('POST', `/tools/${toolName}/execute`, { connectedAccountId, toolInput }).then(
    () => true,
    () => false,
  );
const search = (account = networkAccounts[0]) => execute('network_geo_search', account, { search: 'Berlin' });
const listCalendars = () => execute('calendar_list_calendars', calendarAccount);

beforeAll(async () => {
  const ends: (() => Promise<unknown>)[] = [];
  fleet = await startInstances((end) => ends.unshift(end));
  const { operator } = fleet.instances[0];
  const { items } = await operator.call<{ items: { id: string }[] }>('GET', '/applications');
  applicationId = items[0]?.id ?? '';
  await connectNetwork();
  await connectCalendar();
  // Overview shows the first steps until a call has succeeded.
  expect([await search(), await listCalendars()]).toEqual([true, true]);
  return async () => {
    for (const end of ends) await end();
  };
});

/** Opens Overview on both instances, and waits until it shows no problem. */
async function openOverviews(): Promise<readonly Page[]> {
  const pages: Page[] = [];
  for (const { url, operator } of fleet.instances) {
    const { page } = await visit(onTestFinished, { as: operator, url });
    await page.goto(PATHS.overview);
    await page.getByText('No connection or connected account reports a problem.').waitFor(SOON);
    pages.push(page);
  }
  return pages;
}

test('Health lists both instances, and names the instance that responded', async () => {
  for (const { url, operator } of fleet.instances) {
    const { page } = await visit(onTestFinished, { as: operator, url });
    await page.goto(PATHS.health);
    const own = page.getByText(/^These facts are about the instance [0-9a-f]{8}, which responded/);
    const id = await own.locator('code').textContent();
    const rows = page.getByLabel('Instances', { exact: true }).locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(2);
    expect(await rows.first().textContent()).toContain(id);
  }
});

interface Trouble {
  readonly title: string;
  readonly begin: () => Promise<unknown>;
  /** Text on Overview while the problem lasts. */
  readonly shown: string | RegExp;
  readonly end: () => Promise<unknown>;
  /** Resolves to true when the service itself could notice the recovery. */
  readonly hasRecovered: () => Promise<boolean>;
}

const TROUBLES: readonly Trouble[] = [
  {
    title: 'an upstream is down',
    begin: async () => {
      for (const account of networkAccounts) expect(await search(account)).toBe(true);
      await fleet.sandbox.dials('network', { failNext: DOWN });
      await Promise.all(Array.from({ length: 60 }, (_, at) => search(networkAccounts[at % 2])));
    },
    shown: 'Not answering',
    end: () => fleet.sandbox.dials('network', { failNext: null }),
    hasRecovered: () => search(),
  },
  {
    title: 'the token refresh fails',
    begin: async () => {
      expect(await listCalendars()).toBe(true);
      await fleet.sandbox.expireTokens('calendar');
      await fleet.sandbox.dials('calendar', { failNext: { ...DOWN, match: { path: '/token' } } });
      expect(await listCalendars()).toBe(false);
    },
    shown: 'Refresh failing',
    end: () => fleet.sandbox.dials('calendar', { failNext: null }),
    hasRecovered: listCalendars,
  },
  {
    title: 'the database is slow',
    begin: async () => fleet.gate.slow(SLOW_MS),
    shown: /^The database is slow: /,
    end: async () => fleet.gate.slow(0),
    hasRecovered: async () => {
      const { operator } = fleet.instances[0];
      return !('slowDatabase' in (await operator.call<object>('GET', '/problems')));
    },
  },
];

test.each(TROUBLES)(
  'Overview of both instances shows within 10 s that $title, and that it has ended',
  async ({ begin, shown, end, hasRecovered }) => {
    const pages = await openOverviews();
    const texts = pages.map((page) => page.getByText(shown, { exact: true }).first());
    await begin();
    await Promise.all(texts.map((text) => text.waitFor(SOON)));
    await end();
    await expect.poll(hasRecovered, { timeout: 20_000 }).toBe(true);
    await Promise.all(texts.map((text) => text.waitFor({ ...SOON, state: 'detached' })));
  },
);
