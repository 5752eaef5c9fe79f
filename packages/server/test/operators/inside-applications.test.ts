import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fillPath, operationsOf, readOpenApi } from '../support/requests/operations.js';
import { type Application, signIn } from '../support/service/application.js';
import { type SignedInOperator, signInOperator } from '../support/service/operator.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';

const INSIDE = '/applications/{applicationId}';

let service: Service;
let operator: SignedInOperator;
let application: Application;
let accountId: string;
let otherId: string;
let paths: readonly string[];

beforeAll(async () => {
  service = await startService({ connectors: ['calendar'] });
  const { url, app } = service;
  operator = await signInOperator({ url, ...(await app.operators.create('ada', 'owner')) });
  application = await signIn(service);
  accountId = (await connectAccount(service, 'calendar')).id;
  otherId = (await app.applications.create('Other')).id;
  const document = (await operator.call('GET', '/openapi.json')).json<
    Awaited<ReturnType<typeof readOpenApi>>
  >();
  paths = operationsOf(document).map(({ method, path }) => `${method} ${path}`);
});
afterAll(() => service.stop());

const inside = (applicationId: string, path: string) => `/applications/${applicationId}${path}`;

test('operators have every application operation except health, MCP, verification, proxy and tokens', async () => {
  const own = operationsOf(await readOpenApi(service.url)).map(({ method, path }) => `${method} ${path}`);
  const missing = own.filter((operation) => {
    const mounts = [`/operator/v1${INSIDE}`, '/operator/v1'];
    return !mounts.some((mount) => paths.includes(operation.replace('/v1', mount)));
  });
  expect(missing.filter((operation) => !operation.includes('/v1/proxy/'))).toEqual([
    'GET /healthz',
    'GET /readyz',
    'POST /mcp',
    'POST /mcp/{connector}',
    'POST /oauth/token',
    'POST /v1/account-tokens',
    'POST /v1/agent-tokens',
    'POST /v1/accounts/verify',
    'POST /v1/agent-sign-ins',
  ]);
});

test('an operator gets the same responses as the application', async () => {
  for (const path of ['/connections', '/connections/calendar', `/accounts/${accountId}`, '/executions']) {
    const seen = await operator.call('GET', inside(service.clientId, path));
    expect([seen.status, seen.text]).toEqual([200, (await application.call('GET', `/v1${path}`)).text]);
  }
  const connectors = await operator.call('GET', '/connectors/calendar');
  expect(connectors.text).toBe((await application.call('GET', '/v1/connectors/calendar')).text);
});

describe('an unknown application', () => {
  test('responds 404 with its id for every operation', async () => {
    const operations = paths.filter((path) => path.includes(`${INSIDE}/`));
    expect(operations.length).toBeGreaterThan(15);
    const values = { applicationId: 'app_missing', connectionName: 'calendar', identifier: 'user_42' };
    const parameters = {
      ...values,
      id: accountId,
      toolName: 'calendar_list_events',
      secretId: 'secret_1',
      executionId: 'exec_1',
      approvalId: 'appr_1',
      accountTokenId: 'tok_1',
      agentTokenId: 'tok_2',
      agentClientId: 'client_1',
      agentGrantId: 'grant_1',
      endpointId: 'ep_1',
      eventId: 'evt_1',
      deliveryId: 'dlv_1',
      subscriptionId: 'sub_1',
      watchId: 'watch_1',
    };
    for (const operation of operations) {
      const [method = '', path = ''] = operation.split(' ');
      const own = fillPath(path.slice('/operator/v1'.length), parameters);
      const { status, text } = await operator.call(method, own, method === 'GET' ? {} : { body: {} });
      const isRight = status === 404 && text.includes('There is no application \\"app_missing\\".');
      // A missing field of the body is reported first, which reveals nothing about the application.
      expect({ operation, isRight: isRight || status === 400 }).toEqual({ operation, isRight: true });
    }
  });
});

test('an operator creates a connection, an account and its link for an application', async () => {
  const body = { connectionName: 'made', connector: 'calendar', clientId: 'id', clientSecret: 'secret' };
  const made = await operator.call('POST', inside(otherId, '/connections'), { body });
  expect(made.status).toBe(201);
  const account = await operator.call('PUT', inside(otherId, '/connections/made/accounts/eve'));
  expect([account.status, account.json()]).toMatchObject([
    201,
    { identifier: 'eve', status: 'unauthorized' },
  ]);
  const link = await operator.call(
    'POST',
    inside(otherId, '/connections/made/accounts/eve/authorization-link'),
  );
  expect(link.json()).toMatchObject({ link: expect.stringContaining('/connect/') });
  expect((await operator.call('GET', inside(service.clientId, '/connections/made'))).status).toBe(404);
});

test('L2: a change inside an application writes an audit event with its operator', async () => {
  const body = { connectionName: 'checked', connector: 'calendar', clientId: 'id', clientSecret: 'secret' };
  await operator.call('POST', inside(otherId, '/connections'), { body });
  const account = await operator.call('PUT', inside(otherId, '/connections/checked/accounts/grace'));
  const { id } = account.json<{ id: string }>();
  await operator.call('DELETE', inside(otherId, `/accounts/${id}`));
  const events = await operator.call('GET', `/audit-events?applicationId=${otherId}&pageSize=2`);
  const event = {
    applicationId: otherId,
    actor: 'operator:ada',
    object: id,
    requestId: expect.stringMatching(/^req_/),
  };
  expect(events.json()).toMatchObject({
    items: [
      { ...event, action: 'account.deleted' },
      { ...event, action: 'account.created' },
    ],
  });
});

test('A13: an operator executes a tool as an account, once per idempotency key', async () => {
  const path = inside(service.clientId, '/tools/calendar_create_event/execute');
  const toolInput = { summary: 'Once', start_datetime: '2026-12-01T09:00:00Z' };
  const call = () =>
    operator.call('POST', path, {
      body: { connectedAccountId: accountId, toolInput },
      headers: { 'idempotency-key': 'by-an-operator' },
    });
  const first = await call();
  const second = await call();
  expect([first.status, second.text, second.headers.get('idempotent-replayed')]).toEqual([
    200,
    first.text,
    'true',
  ]);
  const { executionId } = first.json<{ executionId: string }>();
  const { items } = (
    await operator.call('GET', inside(service.clientId, '/executions?toolName=calendar_create_event'))
  ).json<{ items: readonly { id: string }[] }>();
  expect(items.map((execution) => execution.id)).toEqual([executionId]);
});

test('A1: an operator cannot reach objects of one application under the id of another', async () => {
  const replies = await Promise.all(
    ['/connections/calendar', `/accounts/${accountId}`, '/connections/calendar/accounts/user_42'].map(
      (path) => operator.call('GET', inside(otherId, path)),
    ),
  );
  expect(replies.map(({ status }) => status)).toEqual([404, 404, 404]);
  const execute = await operator.call('POST', inside(otherId, '/tools/calendar_list_calendars/execute'), {
    body: { connectedAccountId: accountId, toolInput: {} },
  });
  expect([execute.status, execute.headers.get('svc-error')]).toEqual([404, 'account_not_found']);
});
