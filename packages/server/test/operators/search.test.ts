import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Application, fetchReply, signIn } from '../support/service/application.js';
import { type SignedInOperator, signInOperator } from '../support/service/operator.js';
import { addApplication } from '../support/service/second-application.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';

let service: Service;
let application: Application;
let operator: SignedInOperator;

beforeAll(async () => {
  service = await startService({ connectors: ['calendar'] });
  await connectAccount(service, 'calendar', IDENTIFIER);
  application = await signIn(service);
  const { password } = await service.app.operators.create('ada', 'owner');
  operator = await signInOperator({ url: service.url, name: 'ada', password });
});
afterAll(() => service.stop());

interface Found {
  readonly groups: readonly {
    readonly kind: string;
    readonly items: readonly {
      readonly id: string;
      readonly applicationId: string | null;
      readonly executionId?: string;
    }[];
  }[];
}

const find = async (q: string) =>
  (await operator.call('GET', `/search?q=${encodeURIComponent(q)}`)).json<Found>();
const inside = (path: string) => operator.call('GET', `/applications/${service.clientId}${path}`);
const IDENTIFIER = 'ada';

/** Calls a tool that the upstream refuses. Returns the id of the request in the error. */
async function failCall(): Promise<string> {
  await service.sandbox.dials('calendar', { failNext: { count: 1, status: 400 } });
  const reply = await application.call('POST', '/v1/tools/calendar_list_calendars/execute', {
    body: { connectionName: 'calendar', identifier: IDENTIFIER, toolInput: {} },
  });
  return reply.json<{ error: { requestId: string } }>().error.requestId;
}

test('an operator finds the execution by the request id of an error', async () => {
  const requestId = await failCall();
  const { groups } = await find(requestId);
  expect(groups).toMatchObject([{ kind: 'execution', items: [{ applicationId: service.clientId }] }]);
  const id = groups[0]?.items[0]?.id ?? '';
  const execution = (await inside(`/executions/${id}`)).json<{ requestId: string }>();
  expect(execution.requestId).toBe(requestId);
  expect((await find(id)).groups[0]).toMatchObject({ kind: 'execution', items: [{ id }] });
});

test('an application finds its executions by the request id and by the user', async () => {
  const requestId = await failCall();
  const list = async (query: object) => {
    const reply = await application.call('GET', `/v1/executions?${new URLSearchParams({ ...query })}`);
    return reply.json<{ items: readonly { requestId: string; accountIdentifier?: string }[] }>().items;
  };
  expect(await list({ requestId })).toMatchObject([{ requestId, accountIdentifier: IDENTIFIER }]);
  expect(await list({ requestId, identifier: IDENTIFIER })).toHaveLength(1);
  expect(await list({ requestId, identifier: 'nobody' })).toEqual([]);
  expect(await list({ requestId, connectionName: 'other' })).toEqual([]);
  expect((await list({ identifier: IDENTIFIER }))[0]).toMatchObject({ requestId });
  const oldest = await list({ identifier: IDENTIFIER, order: 'oldest' });
  expect(oldest.at(-1)).toMatchObject({ requestId });
  const from = new Date(Date.now() - 3_600_000).toISOString();
  const to = new Date(Date.now() + 60_000).toISOString();
  const query = new URLSearchParams({ from, to, requestId });
  const { points } = (await application.call('GET', `/v1/execution-statistics?${query}`)).json<{
    points: readonly { calls: number; errors: number }[];
  }>();
  expect(points.reduce((sum, { calls }) => sum + calls, 0)).toBe(1);
  expect(points.reduce((sum, { errors }) => sum + errors, 0)).toBe(1);
});

test.each([
  {
    title: 'GET /calendar/v3/colors',
    send: () => application.call('GET', '/v1/proxy/calendar/nobody/calendar/v3/colors'),
  },
  {
    title: 'Tool call',
    send: () => application.call('POST', '/mcp/none', { body: { jsonrpc: '2.0', id: 1, method: 'ping' } }),
  },
])('a found execution without a tool has the title $title', async ({ title, send }) => {
  const { headers } = await send();
  expect((await find(headers.get('svc-request-id') ?? '')).groups).toMatchObject([
    { kind: 'execution', items: [{ title }] },
  ]);
});

/** Opens an authorization link in a browser, and follows it to the upstream. */
async function beginConsent() {
  const path = `/v1/connections/calendar/accounts/${IDENTIFIER}/authorization-link`;
  const { link } = (await application.call('POST', path)).json<{ link: string }>();
  const page = await fetchReply(link);
  const cookie = (page.headers.get('set-cookie') ?? '').split(';', 1).join();
  const { headers } = await fetchReply(link, {
    method: 'POST',
    headers: { cookie, origin: service.url },
    body: new URLSearchParams({ decision: 'allow' }),
    redirect: 'manual',
  });
  return { link, cookie, upstream: new URL(headers.get('location') ?? '') };
}

test('an operator finds the reason of a failed consent by the request id of its page', async () => {
  const { cookie, upstream } = await beginConsent();
  const callback = new URL(upstream.searchParams.get('redirect_uri') ?? '');
  const state = upstream.searchParams.get('state') ?? '';
  callback.search = String(new URLSearchParams({ error: 'access_denied', state }));
  const { headers } = await fetchReply(callback.href, { headers: { cookie } });
  expect((await find(headers.get('svc-request-id') ?? '')).groups).toMatchObject([
    { kind: 'failedRequest', items: [{ state: 'forbidden', cause: { reason: 'cancelled' } }] },
    { kind: 'auditEvent', items: [{ title: 'authorization.refused' }] },
  ]);
});

test('an operator finds the audit event of a connect page by the request id in its response', async () => {
  const { link } = await beginConsent();
  const refused = await fetchReply(link);
  const requestId = refused.headers.get('svc-request-id') ?? '';
  expect((await find(requestId)).groups).toMatchObject([
    {
      kind: 'failedRequest',
      items: [
        {
          title: 'GET /connect/:token',
          state: 'not_found',
          status: 404,
          cause: { reason: 'link_used_before' },
        },
      ],
    },
    { kind: 'auditEvent', items: [{ title: 'authorization.refused', applicationId: service.clientId }] },
  ]);
});

test.each([
  {
    title: 'a request without a token',
    send: () => fetchReply(`${service.url}/v1/executions`),
    found: { title: 'GET /v1/executions', state: 'unauthorized', status: 401, applicationId: null },
  },
  {
    title: 'an invalid query',
    send: () => application.call('GET', '/v1/connections?pageSize=none'),
    found: {
      title: 'GET /v1/connections',
      state: 'invalid_request',
      cause: { fields: [{ field: 'pageSize', rule: 'type' }] },
    },
  },
  {
    title: 'a token request of an MCP client',
    send: () =>
      fetchReply(`${service.url}/agents/${service.clientId}/token`, {
        method: 'POST',
        body: new URLSearchParams({ grant_type: 'password' }),
      }),
    found: {
      state: 'invalid_request',
      applicationId: null,
      cause: { reason: 'unsupported_grant_type' },
    },
  },
  {
    title: 'a path without a route',
    send: () => fetchReply(`${service.url}/nothing`),
    found: { title: 'GET to an unknown path', state: 'not_found', applicationId: null },
  },
  {
    title: 'a request of an operator',
    send: () => inside('/connections/none'),
    found: {
      title: 'GET /operator/v1/applications/:applicationId/connections/:connectionName',
      state: 'connection_not_found',
      actor: 'operator:ada',
    },
  },
])('an operator finds the cause by the request id of an error: $title', async ({ send, found }) => {
  const reply = await send();
  const requestId = reply.headers.get('svc-request-id') ?? '';
  const applicationId = service.clientId;
  expect((await find(requestId)).groups).toMatchObject([
    { kind: 'failedRequest', items: [{ id: requestId, applicationId, ...found }] },
  ]);
});

test('an operator finds a failed request by the id of each object that it named', async () => {
  const account = `acct_${'a'.repeat(24)}`;
  const execution = `exec_${'b'.repeat(32)}`;
  const reply = await application.call('GET', `/v1/executions/${execution}?accountId=${account}`);
  const id = reply.headers.get('svc-request-id');
  for (const object of [account, execution])
    expect((await find(object)).groups).toMatchObject([
      { kind: 'failedRequest', items: [{ id, objects: [execution, account] }] },
    ]);
});

test('an operator finds users whose only traces are a refused call or a token', async () => {
  await application.call('POST', '/v1/tools/calendar_list_calendars/execute', {
    body: { connectionName: 'calendar', identifier: 'Called.Only@example.com', toolInput: {} },
  });
  await application.call('POST', '/v1/agent-tokens', {
    body: { identifier: 'token-only@example.com', expiresIn: 600 },
  });
  for (const identifier of ['Called.Only@example.com', 'token-only@example.com']) {
    const part = identifier.slice(3).toUpperCase();
    for (const q of [identifier.toLowerCase(), part])
      expect((await find(q)).groups).toMatchObject([{ kind: 'user', items: [{ id: identifier }] }]);
  }
});

test('an operator finds a user by one character of the identifier, and nothing by spaces', async () => {
  const user = expect.objectContaining({ id: IDENTIFIER, applicationId: service.clientId });
  for (const q of ['A', 'da'])
    expect((await find(q)).groups).toMatchObject([{ kind: 'user', items: expect.arrayContaining([user]) }]);
  expect((await find(' ')).groups).toEqual([]);
});

test('the request id of each repeated refused call finds the execution that counts the call', async () => {
  const refuse = async () => {
    const reply = await application.call('POST', '/v1/tools/calendar_none/execute', {
      body: { connectionName: 'calendar', identifier: IDENTIFIER, toolInput: {} },
    });
    return reply.headers.get('svc-request-id') ?? '';
  };
  // Three calls leave at least two in one minute.
  const ids = [await refuse(), await refuse(), await refuse()];
  const groups = await Promise.all(ids.map(async (id) => (await find(id)).groups[0]));
  const executionIds = groups.flatMap((group) => (group?.kind === 'execution' ? group.items : []));
  const counted = groups.flatMap((group) => (group?.kind === 'failedRequest' ? group.items : []));
  expect(executionIds.length + counted.length).toBe(3);
  expect(counted[0]).toMatchObject({ title: 'calendar_none', state: 'tool_not_found' });
  expect(executionIds.map(({ id }) => id)).toContain(counted[0]?.executionId);
});

test('an operator downloads the executions and accounts of a user as CSV', async () => {
  const requestId = await failCall();
  const executions = await inside(`/executions/export?${new URLSearchParams({ requestId })}`);
  expect(executions.text).toMatch(/,cause,upstreamStatus,durationMs,count,attempts,/);
  expect(executions.text).toContain(',upstream_failed,reason=');
  expect(executions.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  const [head, row, end] = executions.text.split('\r\n');
  expect(head).toMatch(/^id,startedAt,accountIdentifier,/);
  expect(row).toContain(`,${IDENTIFIER},`);
  expect(row).toContain(requestId);
  expect(end).toBe('');
  await application.call('PUT', '/v1/connections/calendar/accounts/%3D1%2B1');
  const accounts = await inside(
    `/accounts/export?${new URLSearchParams({ identifier: '=1+1', exact: 'true' })}`,
  );
  expect(accounts.text.split('\r\n')[1]).toMatch(/^acct_[0-9a-f]+,'=1\+1,/);
});

test('an operator counts lists and downloads agent tokens as CSV', async () => {
  const body = { identifier: '=1+1', expiresIn: 600 };
  await application.call('POST', '/v1/agent-tokens', { body });
  const filter = new URLSearchParams({ identifier: body.identifier });
  expect((await inside(`/agent-tokens/count?${filter}`)).json()).toEqual({ count: 1, more: false });
  const { id: first } = (await application.call('POST', '/v1/agent-tokens', { body })).json<{ id: string }>();
  const idsOf = async (query: string) =>
    (await inside(`/agent-tokens?${filter}&${query}`))
      .json<{ items: { id: string }[] }>()
      .items.map(({ id }) => id);
  expect((await idsOf('order=oldest')).reverse()).toEqual(await idsOf(''));
  expect((await idsOf(''))[0]).toBe(first);
  const [head, row] = (await inside(`/agent-tokens/export?${filter}`)).text.split('\r\n');
  expect(head).toBe('id,identifier,limits,createdAt,expiresAt,revokedAt');
  expect(row).toMatch(/^tok_[0-9a-f]+,'=1\+1,/);
  const lists = ['executions', 'approvals', 'agent-grants', 'account-tokens', 'connections', 'accounts'];
  for (const list of [...lists, 'deliveries'])
    expect((await inside(`/${list}/count`)).json()).toEqual({
      count: (await inside(`/${list}?pageSize=100`)).json<{ items: unknown[] }>().items.length,
      more: false,
    });
});

test('accounts can be listed in descending order and for exactly one user', async () => {
  for (const name of ['bob', 'bobby'])
    await application.call('PUT', `/v1/connections/calendar/accounts/${name}`);
  const list = async (query: string) =>
    (await inside(`/accounts?${query}`))
      .json<{ items: readonly { identifier: string }[] }>()
      .items.map(({ identifier }) => identifier);
  expect(await list('identifier=bob')).toEqual(['bob', 'bobby']);
  expect(await list('identifier=bob&exact=true')).toEqual(['bob']);
  expect(await list('identifier=bob&order=descending')).toEqual(['bobby', 'bob']);
});

test('A2: an application finds no execution of another application by a request id or user', async () => {
  const requestId = await failCall();
  const other = await addApplication(service);
  for (const query of [{ requestId }, { identifier: IDENTIFIER }]) {
    const reply = await other.call('GET', `/v1/executions?${new URLSearchParams({ ...query })}`);
    expect(reply.json<{ items: unknown[] }>().items).toEqual([]);
  }
  expect((await other.call('GET', `/operator/v1/search?q=${requestId}`)).status).toBe(401);
});
