import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Application, type Reply, signIn } from '../support/service/application.js';
import { type IssuedTokens, issueTokens, ownClient } from '../support/service/issue-tokens.js';
import { type SignedInOperator, signInOperator } from '../support/service/operator.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';

const HOUR_AGO = () => new Date(Date.now() - 3_600_000).toISOString();
const CALLS = { workspace: '/v1/users', calendar: '/calendar/v3/users/me/calendarList' } as const;
type Upstream = keyof typeof CALLS;

let service: Service;
let application: Application;
let operator: SignedInOperator;
let clients: Record<Upstream, Awaited<ReturnType<typeof ownClient>>>;
let number = 0;
const someone = () => `user-${++number}`;

beforeAll(async () => {
  service = await startService({ connectors: ['calendar', 'workspace', 'convintel'] });
  application = await signIn(service);
  const { sandbox, url, app } = service;
  operator = await signInOperator({ url, ...(await app.operators.create('ada', 'owner')) });
  clients = {
    workspace: await ownClient(sandbox, 'workspace', application.call),
    calendar: await ownClient(sandbox, 'calendar', application.call),
  };
});
beforeEach(() => allowImport(true));
afterAll(() => service.stop());

const allowImport = (allowTokenImport: boolean) =>
  service.app.applications.change(service.clientId, { allowTokenImport });
const issue = (upstream: Upstream, user = 'ada') =>
  issueTokens(service.sandbox, upstream, { client: clients[upstream], user });
const accountPath = (upstream: string, identifier: string) =>
  `/v1/connections/${upstream}/accounts/${identifier}`;
const put = (upstream: string, identifier: string, body: object, call = application.call): Promise<Reply> =>
  call('PUT', accountPath(upstream, identifier), { body });
const get = (upstream: string, identifier: string) =>
  application.call('GET', accountPath(upstream, identifier));
const use = async (upstream: Upstream, identifier: string) =>
  (await application.call('GET', `/v1/proxy/${upstream}/${identifier}${CALLS[upstream]}`)).status;
const expired = ({ accessToken, refreshToken }: IssuedTokens) => ({
  accessToken,
  refreshToken,
  expiresAt: HOUR_AGO(),
});

async function countRequests(upstream: Upstream, end: string): Promise<number> {
  const requests = await service.sandbox.requests(upstream);
  return requests.filter(({ path }) => path.endsWith(end)).length;
}

interface AuditEvent {
  readonly object: string;
  readonly action: string;
  readonly actor: string;
  readonly reason: string | null;
}

async function eventsOf(id: string): Promise<readonly AuditEvent[]> {
  const { items } = (await operator.call('GET', '/audit-events?pageSize=100')).json<{
    items: AuditEvent[];
  }>();
  return items.filter(({ object }) => object === id);
}

describe('an import that is not allowed', () => {
  test('is refused by default and says what an operator does', async () => {
    const { id } = await service.app.applications.create('New');
    expect(await service.app.applications.get(id)).toMatchObject({ allowTokenImport: false });
    await allowImport(false);
    const identifier = someone();
    const reply = await put('workspace', identifier, await issue('workspace'));
    expect(reply.status).toBe(403);
    expect(reply.json()).toMatchObject({
      error: { code: 'not_permitted', message: expect.stringContaining('--allow-token-import') },
    });
    expect((await get('workspace', identifier)).status).toBe(404);
  });

  test('is refused for a narrowed token', async () => {
    const identifier = someone();
    const { token } = await service.svc.accountToken({ identifier, connections: ['workspace'] });
    const response = await fetch(service.url + accountPath('workspace', identifier), {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(await issue('workspace')),
    });
    expect(response.status).toBe(403);
    expect((await get('workspace', identifier)).status).toBe(404);
  });
});

const WRONG_BODIES = [
  { title: 'a key', connector: 'workspace', body: { accessToken: 'x', apiKey: 'y' }, message: /apiKey/ },
  {
    title: 'secondary credentials',
    connector: 'workspace',
    body: { accessToken: 'x', credentials: { a: 'y' } },
    message: /credentials/,
  },
  {
    title: 'a connector with keys',
    connector: 'convintel',
    body: { accessToken: 'x' },
    message: /does not use OAuth.*bearerToken/,
  },
  { title: 'scopes alone', connector: 'workspace', body: { scopes: ['a'] }, message: /no token/ },
  {
    title: 'verify: false',
    connector: 'workspace',
    body: { accessToken: 'x', verify: false },
    message: /always verified/,
  },
  {
    title: 'a wrong time',
    connector: 'workspace',
    body: { accessToken: 'x', expiresAt: 'secret-text' },
    message: /^(?!.*secret-text).*expiresAt/,
  },
];

test.each(WRONG_BODIES)('tokens with $title are refused', async ({ connector, body, message }) => {
  const identifier = someone();
  const reply = await put(connector, identifier, body);
  expect(reply.status).toBe(400);
  expect(reply.json()).toMatchObject({ error: { message: expect.stringMatching(message) } });
  expect((await get(connector, identifier)).status).toBe(404);
});

describe('the verify request', () => {
  test('proves an access token without using up the refresh token', async () => {
    const identifier = someone();
    const tokens = await issue('workspace');
    await service.sandbox.clearRequests();
    const reply = await put('workspace', identifier, { ...tokens, scopes: ['read'] });
    expect(reply.status).toBe(201);
    expect(reply.json()).toMatchObject({ status: 'authorized', scopes: ['read'] });
    expect(await countRequests('workspace', '/users/me')).toBe(1);
    expect(await countRequests('workspace', '/token')).toBe(0);
    expect(await use('workspace', identifier)).toBe(200);
    const { id } = reply.json<{ id: string }>();
    expect(await eventsOf(id)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          action: 'account.tokens_imported',
          reason: 'verify',
          actor: service.clientId,
        }),
        expect.objectContaining({ action: 'account.authorized', actor: service.clientId }),
      ]),
    );
  });

  test('stores the refresh token, which later renews the access', async () => {
    const identifier = someone();
    await put('workspace', identifier, await issue('workspace'));
    await service.sandbox.expireTokens('workspace');
    expect(await use('workspace', identifier)).toBe(200);
    expect((await get('workspace', identifier)).json()).toMatchObject({ status: 'authorized' });
  });

  test('refuses a wrong access token, and nothing is stored', async () => {
    const identifier = someone();
    const reply = await put('workspace', identifier, { accessToken: 'ntn_wrong' });
    expect(reply.status).toBe(400);
    expect(reply.json()).toMatchObject({
      error: { code: 'invalid_request', details: { reason: 'token_refused', field: 'accessToken' } },
    });
    expect(reply.text).not.toContain('ntn_wrong');
    expect((await get('workspace', identifier)).status).toBe(404);
  });
});

test.each(['workspace', 'calendar'] as const)(
  'an expired access token of %s without a refresh token is refused, because a retry cannot help',
  async (upstream) => {
    const identifier = someone();
    const { refreshToken: _, ...tokens } = expired(await issue(upstream));
    const reply = await put(upstream, identifier, tokens);
    expect(reply.status).toBe(400);
    expect(reply.json()).toMatchObject({
      error: {
        code: 'invalid_request',
        message: expect.stringMatching(/has expired.+refreshToken/),
        details: { reason: 'token_expired', field: 'accessToken' },
      },
    });
    expect(reply.headers.get('retry-after')).toBeNull();
    expect((await get(upstream, identifier)).status).toBe(404);
  },
);

describe('a refresh', () => {
  test('that is refused reports no event, because the application never had the account', async () => {
    const identifier = someone();
    const list = (wait = '') => application.call('GET', `/v1/events?types=account.deleted${wait}`);
    await list('&wait=1');
    expect((await put('calendar', identifier, { refreshToken: 'of nobody' })).status).toBe(400);
    const known = someone();
    const tokens = await issue('workspace');
    expect((await put('workspace', known, tokens)).status).toBe(201);
    expect((await application.call('DELETE', accountPath('workspace', known))).status).toBe(204);
    const deleted = async () =>
      (await list())
        .json<{ items: { data: { identifier: string } }[] }>()
        .items.map(({ data }) => data.identifier);
    await expect.poll(deleted).toEqual([known]);
  });

  test('proves tokens whose access token has expired, and the rotated tokens are stored', async () => {
    const identifier = someone();
    const tokens = await issue('workspace');
    const reply = await put('workspace', identifier, expired(tokens));
    expect(reply.status).toBe(201);
    expect(reply.json()).toMatchObject({ connectedAs: { name: 'ada@example.com' } });
    expect(await use('workspace', identifier)).toBe(200);
    await service.sandbox.expireTokens('workspace');
    expect(await use('workspace', identifier)).toBe(200);
    const [event] = (await eventsOf(reply.json<{ id: string }>().id)).filter(
      ({ action }) => action === 'account.tokens_imported',
    );
    expect(event).toMatchObject({ reason: 'refresh' });
  });

  test('proves tokens of a connector without a verify request, and stores the granted scopes', async () => {
    const identifier = someone();
    const { refreshToken } = await issue('calendar');
    const reply = await put('calendar', identifier, { refreshToken });
    expect(reply.status).toBe(201);
    const { scopes, expiresAt } = reply.json<{ scopes: string[]; expiresAt: string }>();
    expect(scopes).toContain('https://www.googleapis.com/auth/calendar.calendarlist.readonly');
    expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now());
    expect(await use('calendar', identifier)).toBe(200);
  });

  test('that the upstream refuses stores nothing and names no secret', async () => {
    const identifier = someone();
    const reply = await put('calendar', identifier, { accessToken: 'ya29.x', refreshToken: '1//0wrong' });
    expect(reply.status).toBe(400);
    expect(reply.json()).toMatchObject({
      error: { details: { reason: 'token_refused', field: 'refreshToken' } },
    });
    expect(reply.text).not.toContain('1//0wrong');
    expect((await get('calendar', identifier)).status).toBe(404);
  });

  test('of another OAuth client is refused, and the connection keeps its status', async () => {
    const identifier = someone();
    const { redirectUri } = clients.calendar;
    const other = await service.sandbox.registerClient('calendar', { redirectUris: [redirectUri] });
    const client = { ...other, redirectUri };
    const { refreshToken } = await issueTokens(service.sandbox, 'calendar', { client });
    expect((await put('calendar', identifier, { refreshToken })).status).toBe(400);
    const { statusReason } = (await application.call('GET', '/v1/connections/calendar')).json<{
      statusReason?: string;
    }>();
    expect(statusReason).toBeUndefined();
  });

  test('that the upstream does not answer can be repeated', async () => {
    const identifier = someone();
    const { refreshToken } = await issue('calendar');
    await service.sandbox.dials('calendar', {
      failNext: { count: 1, status: 503, match: { path: '/token' } },
    });
    const failed = await put('calendar', identifier, { refreshToken });
    expect(failed.status).toBe(503);
    expect((await get('calendar', identifier)).status).toBe(404);
    expect((await put('calendar', identifier, { refreshToken })).status).toBe(201);
  });

  test('is needed for an access token that nothing else can prove', async () => {
    const identifier = someone();
    const { accessToken } = await issue('calendar');
    const reply = await put('calendar', identifier, { accessToken });
    expect(reply.json()).toMatchObject({
      error: {
        code: 'invalid_request',
        details: { reason: 'token_unproven' },
        message: expect.stringContaining('refreshToken'),
      },
    });
    expect((await get('calendar', identifier)).status).toBe(404);
  });
});

describe.each(['workspace', 'calendar'] as const)('a repeated import of %s', (upstream) => {
  test('changes nothing and asks the upstream nothing, although the token was rotated', async () => {
    const identifier = someone();
    const tokens = expired(await issue(upstream));
    const first = await put(upstream, identifier, tokens);
    await service.sandbox.clearRequests();
    const second = await put(upstream, identifier, tokens);
    expect([second.status, second.json()]).toEqual([200, first.json()]);
    expect(await service.sandbox.requests(upstream)).toEqual([]);
    await service.sandbox.expireTokens(upstream);
    expect(await use(upstream, identifier)).toBe(200);
    expect((await put(upstream, identifier, tokens)).status).toBe(200);
    expect(await use(upstream, identifier)).toBe(200);
  });

  test('at the same time uses the refresh token once', async () => {
    const identifier = someone();
    const tokens = expired(await issue(upstream));
    await service.sandbox.clearRequests();
    const replies = await Promise.all(Array.from({ length: 5 }, () => put(upstream, identifier, tokens)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 201]);
    expect(await countRequests(upstream, '/token')).toBe(1);
    expect(await use(upstream, identifier)).toBe(200);
  });
});

test('a revoked account is not authorized by a repetition whose tokens were revoked too', async () => {
  const identifier = someone();
  const tokens = await issue('workspace');
  await put('workspace', identifier, tokens);
  await application.call('POST', `${accountPath('workspace', identifier)}/revoke`);
  expect((await put('workspace', identifier, tokens)).status).toBe(400);
  expect((await get('workspace', identifier)).json()).toMatchObject({ status: 'reauthorization_required' });
});

describe('an account that is already connected', () => {
  test('gets other tokens of the same upstream user', async () => {
    const { identifier } = await connectAccount(service, 'workspace', someone());
    const reply = await put('workspace', identifier, await issue('workspace'));
    expect([reply.status, reply.json<{ status: string }>().status]).toEqual([200, 'authorized']);
    expect(await use('workspace', identifier)).toBe(200);
  });

  test('keeps its tokens and metadata when the given tokens are wrong', async () => {
    const { identifier } = await connectAccount(service, 'workspace', someone());
    await put('workspace', identifier, { metadata: { plan: 'free' } });
    const wrong = { accessToken: 'ntn_wrong', refreshToken: 'nrt_wrong', metadata: { plan: 'pro' } };
    expect((await put('workspace', identifier, wrong)).status).toBe(400);
    expect((await get('workspace', identifier)).json()).toMatchObject({ metadata: { plan: 'free' } });
    expect(await use('workspace', identifier)).toBe(200);
  });

  test('gets the metadata of an import together with its tokens', async () => {
    const { identifier } = await connectAccount(service, 'workspace', someone());
    const given = { ...(await issue('workspace')), metadata: { plan: 'pro' }, tags: ['beta'] };
    const reply = await put('workspace', identifier, given);
    const expected = { status: 'authorized', metadata: { plan: 'pro' }, tags: ['beta'] };
    expect(reply.json()).toMatchObject(expected);
    expect((await get('workspace', identifier)).json()).toMatchObject(expected);
  });

  test('O8: is not replaced by tokens of another upstream user', async () => {
    const { identifier } = await connectAccount(service, 'workspace', someone());
    const reply = await put('workspace', identifier, await issue('workspace', 'grace'));
    expect(reply.status).toBe(409);
    expect(reply.json()).toMatchObject({
      error: { code: 'conflict', details: { reason: 'other_subject' } },
    });
    expect((await get('workspace', identifier)).json()).toMatchObject({
      connectedAs: { name: 'ada@example.com' },
    });
    expect(await use('workspace', identifier)).toBe(200);
  });

  test('O8: is not replaced by an access token whose user is unknown', async () => {
    const { identifier } = await connectAccount(service, 'workspace', someone());
    const { accessToken } = await issue('workspace', 'grace');
    const reply = await put('workspace', identifier, { accessToken });
    expect(reply.json()).toMatchObject({
      error: { code: 'conflict', details: { reason: 'unknown_subject' } },
    });
  });
});
