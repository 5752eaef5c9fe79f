import { type ApproveOptions, approve, type Browser, createBrowser } from '@svc/sandbox';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { rounds } from '../support/runner/rounds.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';

const RUNS = rounds(100, 5);
const MINUTE_MS = 60_000;
/** Timeout in ms of a test with all its repetitions on a busy machine. */
const ROUNDS_MS = 15 * MINUTE_MS;
const CALLS = { calendar: 'calendar_list_calendars', workspace: 'workspace_users_list' } as const;
const CONNECTORS = ['calendar', 'workspace'] as const;
type Connector = (typeof CONNECTORS)[number];

let service: Service;
let number = 0;
/** Returns a new, unused user identifier. */
const someone = () => `user-${++number}@example.com`;

beforeAll(async () => {
  service = await startService();
});
beforeEach(() => service.sandbox.clearRequests());
afterEach(() => void vi.useRealTimers());
afterAll(() => service.stop());

const isCallback = (url: string) => url.startsWith(`${service.url}/sso/`);
const isResult = (url: string) => url.startsWith(`${service.url}/connect/result/`);
const isUpstream = (url: string) => url.startsWith(service.sandbox.url);

const createLink = async (connectionName: Connector, identifier: string) =>
  (await service.svc.getAuthorizationLink({ connectionName, identifier })).link;
const statusOf = async (connectionName: Connector, identifier: string) =>
  (await service.svc.getOrCreateConnectedAccount({ connectionName, identifier })).status;

async function countTokenRequests(): Promise<number> {
  const requests = await service.sandbox.requests();
  return requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/token')).length;
}

/** Consents as a user. The browser stops at the service's callback URL without opening it. */
async function reachCallback(connection: Connector, identifier: string, options: ApproveOptions = {}) {
  const link = await createLink(connection, identifier);
  const { url, browser } = await approve(link, { user: 'ada', ...options, stopAt: isCallback });
  return { link, browser, callback: new URL(url) };
}

/** Creates a browser that has opened a different link, so it has its own cookie. */
async function otherBrowser(): Promise<Browser> {
  const browser = createBrowser();
  await browser.open(await createLink('calendar', someone()));
  return browser;
}

const textOf = (page: string) =>
  page
    .replace(/<style>.*<\/style>/s, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');

describe.each(CONNECTORS)('%s', (connection) => {
  test('a user who consents on both pages is connected, and tools run', async () => {
    const identifier = someone();
    const link = await createLink(connection, identifier);
    expect(await statusOf(connection, identifier)).toBe('unauthorized');
    const { url, status, body } = await approve(link, { user: 'ada' });
    expect([isResult(url), status]).toEqual([true, 200]);
    expect(textOf(body)).toContain('is connected You connected');
    const account = await service.svc.getOrCreateConnectedAccount({ connectionName: connection, identifier });
    expect(account.status).toBe('authorized');
    const toolName: string = CALLS[connection];
    await service.svc.call({
      method: 'POST',
      path: `/v1/tools/${toolName}/execute`,
      body: { connectedAccountId: account.id, toolInput: {} },
    });
    expect(await countTokenRequests()).toBe(1);
  });

  test('a user who denies the consent upstream gets a message and is not connected', async () => {
    const identifier = someone();
    const { url, browser } = await approve(await createLink(connection, identifier), { stopAt: isUpstream });
    const { status, body } = await approve(url, { browser, deny: true });
    expect(status).toBe(403);
    expect(textOf(body)).toContain('You granted no access, so no account was connected.');
    expect(await statusOf(connection, identifier)).toBe('unauthorized');
    expect(await countTokenRequests()).toBe(0);
  });

  test('a user who cancels on the connect page is not redirected to the upstream', async () => {
    const identifier = someone();
    const { status, body } = await approve(await createLink(connection, identifier), { deny: true });
    expect(status).toBe(200);
    expect(textOf(body)).toContain('You cancelled. Test application got no new access to');
    expect(await statusOf(connection, identifier)).toBe('unauthorized');
    expect(await service.sandbox.requests()).toEqual([]);
  });
});

interface Attack {
  readonly title: string;
  /** Tries to get this user's account authorized, and returns the last page that the browser shows. */
  readonly attack: (identifier: string) => Promise<{ readonly status: number; readonly body: string }>;
  readonly ends: number;
  readonly tokenRequests: number;
}

const ATTACKS: readonly Attack[] = [
  {
    title: 'a callback in the browser of another user',
    attack: async (identifier) => {
      const { callback } = await reachCallback('workspace', identifier);
      return (await otherBrowser()).open(callback.href);
    },
    ends: 403,
    tokenRequests: 0,
  },
  {
    title: 'a callback in a browser that never opened a link',
    attack: async (identifier) => {
      const { callback } = await reachCallback('workspace', identifier);
      return createBrowser().open(callback.href);
    },
    ends: 403,
    tokenRequests: 0,
  },
  {
    title: 'a callback of one connection on the path of another',
    attack: async (identifier) => {
      const { callback, browser } = await reachCallback('workspace', identifier);
      const { redirectUri } = await service.app.connections.get(service.clientId, 'calendar');
      return browser.open(`${redirectUri}${callback.search}`);
    },
    ends: 403,
    tokenRequests: 0,
  },
  {
    title: 'a callback with a forged state',
    attack: async (identifier) => {
      const { callback, browser } = await reachCallback('workspace', identifier);
      callback.searchParams.set('state', 'x'.repeat(43));
      return browser.open(callback.href);
    },
    ends: 403,
    tokenRequests: 0,
  },
  {
    title: 'a callback after 10 minutes',
    attack: async (identifier) => {
      const { callback, browser } = await reachCallback('workspace', identifier);
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10 * MINUTE_MS });
      return browser.open(callback.href);
    },
    ends: 403,
    tokenRequests: 0,
  },
  {
    title: "an attacker's code in the flow of a victim",
    attack: async (identifier) => {
      const attacker = await reachCallback('workspace', someone(), { user: 'grace' });
      const { callback, browser } = await reachCallback('workspace', identifier);
      callback.searchParams.set('code', attacker.callback.searchParams.get('code') ?? '');
      return browser.open(callback.href);
    },
    ends: 403,
    tokenRequests: 1,
  },
  {
    title: 'a link after 30 minutes',
    attack: async (identifier) => {
      const link = await createLink('workspace', identifier);
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 30 * MINUTE_MS });
      return approve(link, { user: 'ada' });
    },
    ends: 404,
    tokenRequests: 0,
  },
  {
    title: 'a link that is already used',
    attack: async (identifier) => {
      const { link } = await reachCallback('workspace', identifier);
      return approve(link, { user: 'grace' });
    },
    ends: 404,
    tokenRequests: 0,
  },
  {
    title: 'a link whose account was deleted in the meantime',
    attack: async (identifier) => {
      const { callback, browser } = await reachCallback('workspace', identifier);
      await service.svc.call({
        method: 'DELETE',
        path: `/v1/connections/workspace/accounts/${encodeURIComponent(identifier)}`,
      });
      return browser.open(callback.href);
    },
    ends: 403,
    tokenRequests: 0,
  },
];

describe('O7: an attack authorizes no account and gets a page with the next step', () => {
  test.each(ATTACKS)('$title', { timeout: ROUNDS_MS }, async ({ attack, ends, tokenRequests }) => {
    for (let run = 0; run < RUNS; run += 1) {
      const identifier = someone();
      const { status, body } = await attack(identifier);
      vi.useRealTimers();
      expect(status).toBe(ends);
      expect(textOf(body)).toMatch(/Go back to (Test|the) application/);
      expect(await statusOf('workspace', identifier)).toBe('unauthorized');
      expect(await countTokenRequests()).toBe(tokenRequests);
      // The sandbox keeps only the last 1,000 requests, so they are cleared after each repetition.
      await service.sandbox.clearRequests();
    }
  });
});

test('O1, O6: a link names the application, the connector and the user, and waits for a click', async () => {
  const identifier = someone();
  const { status, body } = await createBrowser().open(await createLink('calendar', identifier));
  expect(status).toBe(200);
  const text = textOf(body);
  for (const name of ['Test application', 'Calendar', identifier]) expect(text).toContain(name);
  expect(await service.sandbox.requests()).toEqual([]);
});

test('O2: callbacks without the cookie of the browser that opened the link make no token request', {
  timeout: ROUNDS_MS,
}, async () => {
  const tries = rounds(1000);
  const other = await otherBrowser();
  for (let round = 0; round < tries; round += 1) {
    const connection = CONNECTORS[round % CONNECTORS.length] ?? 'calendar';
    const { callback } = await reachCallback(connection, someone());
    const pages = await Promise.all([createBrowser(), other].map((browser) => browser.open(callback.href)));
    expect(pages.map(({ status }) => status)).toEqual([403, 403]);
    expect(await countTokenRequests()).toBe(0);
    await service.sandbox.clearRequests();
  }
});

test('O7: a second user cannot complete a flow that is already completed', async () => {
  const identifier = someone();
  const { callback, browser } = await reachCallback('workspace', identifier);
  expect((await browser.open(callback.href)).status).toBe(200);
  expect((await browser.open(callback.href)).status).toBe(200);
  expect((await (await otherBrowser()).open(callback.href)).status).toBe(403);
  expect(await countTokenRequests()).toBe(1);
  expect(await statusOf('workspace', identifier)).toBe('authorized');
});

test('O3: one callback of 100 parallel ones makes a token request', async () => {
  const { callback, browser } = await reachCallback('calendar', someone());
  const pages = await Promise.all(Array.from({ length: 100 }, () => browser.open(callback.href)));
  expect(pages.filter(({ status }) => status === 200)).toHaveLength(100);
  expect(await countTokenRequests()).toBe(1);
});

test('O8: an account keeps the upstream user of the first consent until the application allows another', async () => {
  const identifier = someone();
  await connectAccount(service, 'workspace', identifier);
  const other = await approve(await createLink('workspace', identifier), { user: 'grace' });
  expect(other.status).toBe(409);
  expect(textOf(other.body)).toContain('stays connected with another');
  expect(await statusOf('workspace', identifier)).toBe('authorized');
  const { link } = await service.svc.call<{ link: string }>({
    method: 'POST',
    path: `/v1/connections/workspace/accounts/${encodeURIComponent(identifier)}/authorization-link`,
    body: { replace: true },
  });
  expect((await approve(link, { user: 'grace' })).status).toBe(200);
});
