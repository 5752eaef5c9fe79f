import { calendar } from '@svc/calendar';
import { type AccountName, type ConnectedAccount, manage } from '@svc/core';
import { approve } from '@svc/sandbox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mintToken, runAgent } from '../support/mcp/agent.js';
import { rejection } from '../support/rejection.js';
import { type Application, fetchReply, signIn } from '../support/service/application.js';
import { type Service, startService } from '../support/service/service.js';

const USER = { connectionName: 'calendar', identifier: 'ada' };
const WORK = { ...USER, account: 'work' };
const CALENDARS = '/calendar/v3/users/me/calendarList';

let service: Service;
let application: Application;

/** Connects an account as a user of the upstream. */
async function connect(name: AccountName, user: string): Promise<ConnectedAccount> {
  const { link } = await service.svc.getAuthorizationLink(name);
  expect((await approve(link, { user })).status).toBe(200);
  return service.svc.getOrCreateConnectedAccount(name);
}

beforeAll(async () => {
  service = await startService({ connectors: ['calendar', 'convintel'] });
  application = await signIn(service);
  await connect(USER, 'ada');
  await connect(WORK, 'grace');
});
afterAll(() => service.stop());

const ADA = 'ada@example.com';
const GRACE = 'grace@example.com';

/** Returns the id of the primary calendar, which is the address of the user at the upstream. */
const primaryIn = (data: unknown): string | undefined =>
  (data as { items: readonly { id: string; primary?: boolean }[] }).items.find(({ primary }) => primary)?.id;

const proxied = (query: string, headers: Readonly<Record<string, string>> = {}) =>
  application.call('GET', `/v1/proxy/calendar/ada${CALENDARS}${query}`, { headers });

const path = (query: string, suffix = '') => `/v1/connections/calendar/accounts/ada${suffix}${query}`;

describe('two accounts of one user on one connection', () => {
  test('are told apart by their label, and without a label nothing changes', async () => {
    const plain = (await application.call('GET', path(''))).json<ConnectedAccount>();
    const work = (await application.call('GET', path('?account=work'))).json<ConnectedAccount>();
    expect(plain).not.toHaveProperty('account');
    expect(work).toMatchObject({ account: 'work', identifier: 'ada' });
    expect(work.id).not.toBe(plain.id);
  });

  test('run each tool call and each request as the right user', async () => {
    const { svc } = service;
    const account = await manage(svc).accounts.get(WORK);
    for (const [name, user] of [
      [USER, ADA],
      [WORK, GRACE],
      [account, GRACE],
    ] as const) {
      expect(primaryIn((await calendar(svc, name).listCalendars()).data)).toBe(user);
      const { connectionName, identifier, account: label }: AccountName = name;
      const request = { connectionName, identifier, account: label, method: 'GET', path: CALENDARS } as const;
      expect(primaryIn((await svc.request(request)).data)).toBe(user);
    }
  });

  test('are named by the query parameter or the header of a proxied request', async () => {
    expect(primaryIn((await proxied('')).json())).toBe(ADA);
    expect(primaryIn((await proxied('?maxResults=10&account=work&showHidden=true')).json())).toBe(GRACE);
    expect(primaryIn((await proxied('?%61ccount=w%6Frk')).json())).toBe(GRACE);
    expect(primaryIn((await proxied('', { 'svc-account': 'work' })).json())).toBe(GRACE);
  });

  test.each([
    { title: 'the query parameter', query: '?a=1&account=work&b=%20', headers: {}, sent: { a: '1', b: ' ' } },
    { title: 'the header', query: '?account=x', headers: { 'svc-account': 'work' }, sent: { account: 'x' } },
    { title: 'an empty header', query: '?account=x', headers: { 'svc-account': '' }, sent: { account: 'x' } },
  ])('send the upstream no label: $title', async ({ query, headers, sent }) => {
    await service.sandbox.clearRequests();
    await proxied(query, headers);
    const [request] = await service.sandbox.requests('calendar');
    expect(request?.query).toEqual(sent);
    expect(Object.keys(request?.headers ?? {})).not.toContain('svc-account');
  });

  test('are listed with their labels, page by page', async () => {
    for (const label of ['a', 'b', 'c']) await application.call('PUT', path(`?account=${label}`));
    const listed: ConnectedAccount[] = [];
    for await (const each of manage(service.svc).accounts.list.each({
      connectionName: 'calendar',
      pageSize: 2,
    }))
      listed.push(each);
    const labels = listed.filter(({ identifier }) => identifier === 'ada').map(({ account }) => account);
    expect(labels.toSorted()).toEqual(['a', 'b', 'c', 'work', undefined]);
    const work = await application.call('GET', '/v1/accounts?account=work&identifier=ad');
    expect(work.json()).toMatchObject({ items: [{ identifier: 'ada', account: 'work' }] });
    for (const label of ['a', 'b', 'c'])
      expect((await application.call('DELETE', path(`?account=${label}`))).status).toBe(204);
  });

  test('are offered to agents by label, and an agent without a label uses the account without one', async () => {
    const token = await mintToken(service, { identifier: 'ada' });
    const call = (input: object) =>
      runAgent(
        service,
        { method: 'tools/call', params: { name: 'calendar_list_calendars', arguments: input } },
        { token, path: '/mcp/calendar' },
      );
    const list = await runAgent(
      service,
      { method: 'tools/list', params: {} },
      { token, path: '/mcp/calendar' },
    );
    const { tools } = list.message.result as unknown as {
      tools: readonly { name: string; inputSchema: { properties: object; required?: readonly string[] } }[];
    };
    const { properties, required = [] } = tools.find(({ name }) => name === 'calendar_list_calendars')
      ?.inputSchema ?? {
      properties: {},
    };
    expect(properties).toMatchObject({
      account: {
        enum: ['calendar', 'work'],
        description: "The user's account to use. Default: calendar.",
      },
    });
    expect(required).not.toContain('account');
    const userOf = async (input: object) =>
      primaryIn((await call(input)).message.result?.['structuredContent']);
    expect(await userOf({})).toBe(ADA);
    expect(await userOf({ account: 'work' })).toBe(GRACE);
    expect((await call({ account: 'home' })).message.result).toMatchObject({ isError: true });
  });
});

describe('a token', () => {
  const asBearer = (token: string, query: string) =>
    fetchReply(`${service.url}/v1/proxy/calendar/ada${CALENDARS}${query}`, {
      headers: { authorization: `Bearer ${token}` },
    });

  test.each([
    { title: 'T3: without a limit uses every account of its user', limits: {}, plain: 200, work: 200 },
    {
      title: 'T3: limited to a label uses no other account',
      limits: { account: 'work' },
      plain: 403,
      work: 200,
    },
    {
      title: 'T3: limited to no label uses no labelled account',
      limits: { account: '' },
      plain: 200,
      work: 403,
    },
  ])('$title', async ({ limits, plain, work }) => {
    const { token } = await service.svc.accountToken({ identifier: 'ada', ...limits });
    expect((await asBearer(token, '')).status).toBe(plain);
    expect((await asBearer(token, '?account=work')).status).toBe(work);
    expect((await asBearer(token, '?account=unknown')).status).not.toBe(200);
  });

  test('T3: limited to a label reaches only its account over MCP', async () => {
    const token = await mintToken(service, { identifier: 'ada', account: 'work' });
    const { message } = await runAgent(
      service,
      { method: 'tools/call', params: { name: 'calendar_list_calendars', arguments: {} } },
      { token, path: '/mcp/calendar' },
    );
    expect(primaryIn(message.result?.['structuredContent'])).toBe(GRACE);
  });
});

describe('a label', () => {
  test.each([
    { title: 'of 65 characters', label: 'x'.repeat(65) },
    { title: 'with a control character', label: 'a\nb' },
    { title: 'with a space at its end', label: 'work ' },
  ])('$title is refused', async ({ label }) => {
    const query = `?account=${encodeURIComponent(label)}`;
    expect((await application.call('PUT', path(query))).status).toBe(400);
    expect((await proxied(query)).status).toBe(400);
    expect((await proxied('', { 'svc-account': encodeURIComponent(label) })).status).toBe(400);
  });

  test('may have 64 characters of any script', async () => {
    const account = '仕事用📅'.padEnd(65, 'ö');
    expect([...account]).toHaveLength(64);
    const created = await service.svc.getOrCreateConnectedAccount({ ...USER, account });
    expect(created.account).toBe(account);
    await manage(service.svc).accounts.delete(created);
  });

  test('that occurs twice in a query, or is malformed, is refused', async () => {
    expect((await proxied('?account=work&account=home')).json()).toMatchObject({
      error: { code: 'invalid_request', message: expect.stringContaining('more than once') },
    });
    expect((await proxied('?account=%ff')).status).toBe(400);
  });

  test('that no account has is named in the error', async () => {
    expect((await application.call('GET', path('?account=home'))).json()).toMatchObject({
      error: { code: 'account_not_found', message: expect.stringContaining('"ada" with the label "home"') },
    });
    const error = await rejection(calendar(service.svc, { ...USER, account: 'home' }).listCalendars());
    expect(error).toMatchObject({
      code: 'account_not_authorized',
      details: {
        account: 'home',
        authorizationLinkPath: '/v1/connections/calendar/accounts/ada/authorization-link?account=home',
      },
    });
  });

  test('of another application does not exist', async () => {
    const { client } = await service.app.applications.create('Other').then(async ({ id, clientSecret }) => ({
      client: await signIn({ url: service.url, clientId: id, clientSecret }),
    }));
    expect((await client.call('GET', path('?account=work'))).status).toBe(404);
  });

  test('belongs to one of at most 20 accounts of a user, as does the account without a label', async () => {
    const put = (user: string, label: string) =>
      application.call('PUT', `/v1/connections/calendar/accounts/${user}?account=${label}`);
    const full = {
      error: { code: 'conflict', message: expect.stringContaining('has the maximum of 20 accounts') },
    };
    const created = await Promise.all(Array.from({ length: 25 }, (_, n) => put('racing', `l${n}`)));
    expect(created.filter(({ status }) => status === 201)).toHaveLength(20);
    for (let n = 0; n < 20; n += 1) expect((await put('many', `l${n}`)).status).toBe(201);
    expect((await put('many', 'l20')).json()).toMatchObject(full);
    expect((await put('many', '')).json()).toMatchObject(full);
    expect((await put('many', 'l0')).status).toBe(200);
    expect((await put('plain', '')).status).toBe(201);
    for (let n = 0; n < 19; n += 1) expect((await put('plain', `l${n}`)).status).toBe(201);
    expect((await put('plain', 'l19')).json()).toMatchObject(full);
    expect((await put('plain', '')).status).toBe(200);
  });
});

test('revoking or deleting one account leaves the other', async () => {
  const [plain, work] = [
    { ...USER, identifier: 'both' },
    { ...USER, identifier: 'both', account: 'work' },
  ];
  await connect(plain, 'ada');
  await connect(work, 'grace');
  const { accounts } = manage(service.svc);
  expect(await accounts.revoke(work)).toMatchObject({ account: 'work', status: 'reauthorization_required' });
  expect(await accounts.get(plain)).toMatchObject({ status: 'authorized' });
  await accounts.delete(plain);
  expect(await accounts.get(work)).toMatchObject({ account: 'work' });
});

test('an execution and an approval name the label of their account', async () => {
  const { executionId } = await calendar(service.svc, WORK).listCalendars();
  expect(await manage(service.svc).executions.get(executionId)).toMatchObject({
    accountIdentifier: 'ada',
    accountLabel: 'work',
  });
  const { token } = await service.svc.accountToken({ identifier: 'ada', account: 'work', approve: 'always' });
  const reply = await fetchReply(`${service.url}/v1/tools/calendar_list_calendars/execute`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...WORK, toolInput: {} }),
  });
  expect(reply.json()).toMatchObject({ error: { code: 'approval_required' } });
  const { items } = await manage(service.svc).approvals.list();
  expect(items[0]).toMatchObject({ identifier: 'ada', account: 'work' });
});
