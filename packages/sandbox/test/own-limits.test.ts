import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../src/index.js';
import { type Connected, connect } from './authorized.js';
import { registeredClient, tokensOf } from './mcp/notes-client.js';

const HEADERS = { 'notion-version': '2022-06-28' };
let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ connectors: ['workspace', 'notesmcp'] });
});
afterAll(() => sandbox.stop());

const asUser = (user: string) => connect(sandbox, 'workspace', { user, headers: HEADERS });
const getUser = (caller: Connected) => caller.call('GET', '/v1/users/me');

async function countTaken(most: number, send: () => Promise<{ readonly status: number }>): Promise<number> {
  for (let taken = 0; taken <= most; taken += 1) if ((await send()).status === 429) return taken;
  return Number.POSITIVE_INFINITY;
}

test('the workspace limits each token to bursts of 180 requests per minute', async () => {
  const [ada, grace] = [await asUser('ada'), await asUser('grace')];
  expect(await countTaken(180, () => getUser(ada))).toBe(180);

  const limited = await getUser(ada);
  expect([limited.status, limited.body.code]).toEqual([429, 'rate_limited']);
  expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(Number(limited.headers.get('retry-after'))).toBeLessThanOrEqual(60);
  expect((await getUser(grace)).status).toBe(200);

  await sandbox.clock.advance(60_000);
  expect((await getUser(ada)).status).toBe(200);
});

test('the notes server limits each token to 100 requests per minute', async () => {
  const client = await registeredClient(sandbox);
  const { access_token } = await tokensOf(client);
  const headers = { authorization: `Bearer ${access_token}` };
  expect(await countTaken(100, () => fetch(`${client.base}/mcp`, { headers }))).toBe(100);
});

test('a dial removes the limits, and a sandbox can start without them', async () => {
  await sandbox.dials('workspace', { rateLimit: null });
  const ada = await asUser('ada');
  expect(await countTaken(181, () => getUser(ada))).toBe(Number.POSITIVE_INFINITY);

  const free = await startSandbox({ connectors: ['workspace'], rateLimits: false });
  await free.reset();
  const [again, { rateLimit }] = [
    await connect(free, 'workspace', { headers: HEADERS }),
    await free.dials('workspace'),
  ];
  expect(rateLimit).toBe(null);
  expect(await countTaken(181, () => getUser(again))).toBe(Number.POSITIVE_INFINITY);
  await free.dials('workspace', { rateLimit: 'own' });
  expect(await countTaken(181, () => getUser(again))).toBe(180);
  await free.stop();
});

test('the search of the workspace lags by the dialled time', async () => {
  await sandbox.reset();
  const ada = await asUser('ada');
  const find = async () =>
    (await ada.call('POST', '/v1/search', { body: { query: 'Just made' } })).body.results.length;
  const { body: home } = await ada.call('POST', '/v1/search', {
    body: { query: 'Projects', filter: { property: 'object', value: 'page' } },
  });
  await sandbox.dials('workspace', { searchLagSeconds: 30 });
  await ada.call('POST', '/v1/pages', {
    body: {
      parent: { page_id: home.results[0].id },
      properties: { title: { title: [{ text: { content: 'Just made' } }] } },
    },
  });
  expect(await find()).toBe(0);
  await sandbox.clock.advance(30_000);
  expect(await find()).toBe(1);
});
