import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Application, signIn } from '../support/service/application.js';
import { type SignedInOperator, signInOperator } from '../support/service/operator.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';

interface Overview {
  readonly session: { readonly name: string };
  readonly applications: readonly { readonly id: string }[];
  readonly application?: {
    readonly id: string;
    readonly connections: readonly Readonly<Record<string, unknown>>[];
    readonly account?: { readonly id: string };
    readonly hasCalled: boolean;
    readonly day: {
      readonly from: string;
      readonly to: string;
      readonly points: readonly { readonly calls: number; readonly errors: number }[];
    };
  };
}

let service: Service;
let operator: SignedInOperator;
let application: Application;
let otherId: string;

beforeAll(async () => {
  service = await startService({ connectors: ['calendar', 'convintel'] });
  const { url, app } = service;
  operator = await signInOperator({ url, ...(await app.operators.create('ada', 'owner')) });
  application = await signIn(service);
  otherId = (await app.applications.create('Other')).id;
});
afterAll(() => service.stop());

const read = async (query = '') => (await operator.call('GET', `/overview${query}`)).json<Overview>();

test('the overview contains the same session and applications as the separate operations', async () => {
  const { session, applications } = await read();
  expect(session).toEqual((await operator.call('GET', '/session')).json());
  expect({ items: applications }).toEqual((await operator.call('GET', '/applications')).json());
});

test('the overview shows the requested application, or else the first one', async () => {
  const first = (await read()).applications[0]?.id;
  expect((await read()).application?.id).toBe(first);
  expect((await read('?applicationId=app_missing')).application?.id).toBe(first);
  for (const id of [service.clientId, otherId])
    expect((await read(`?applicationId=${id}`)).application?.id).toBe(id);
});

test('the overview shows an empty application', async () => {
  expect((await read(`?applicationId=${otherId}`)).application).toEqual({
    id: otherId,
    connections: [],
    hasCalled: false,
    day: { from: expect.any(String), to: expect.any(String), points: [] },
    problems: { connections: [], waitingApprovals: 0, watches: [], webhookEndpoints: [] },
  });
});

test('the overview shows connections, accounts and calls of its application only', async () => {
  const { id } = await connectAccount(service, 'calendar');
  const ran = await application.call('POST', '/v1/tools/calendar_list_calendars/execute', {
    body: { connectedAccountId: id, toolInput: {} },
  });
  expect(ran.status).toBe(200);
  const overview = (await read(`?applicationId=${service.clientId}`)).application;
  const connections = (await application.call('GET', '/v1/connections')).json<{ items: object[] }>();
  const counts = (await application.call('GET', '/v1/connection-summaries')).json<{ items: object[] }>();
  expect(overview?.connections).toEqual(
    connections.items.map((connection, index) => ({ ...connection, ...counts.items[index] })),
  );
  expect(overview?.account).toMatchObject({ id, connectionName: 'calendar', status: 'authorized' });
  expect(overview?.hasCalled).toBe(true);
  expect(overview?.day.points).toEqual([expect.objectContaining({ calls: 1, errors: 0 })]);
  expect(Date.parse(overview?.day.to ?? '') - Date.parse(overview?.day.from ?? '')).toBe(86_400_000);
  expect((await read(`?applicationId=${otherId}`)).application?.hasCalled).toBe(false);
});

test('a failed watch is a problem of its application until an operator deletes it', async () => {
  const connectedAccountId = (await connectAccount(service, 'calendar', 'ada')).id;
  const inside = `/applications/${service.clientId}`;
  const toolName = 'calendar_list_events';
  const created = await operator.call('POST', `${inside}/watches`, {
    body: { connectedAccountId, toolName, toolInput: {}, every: 1 },
  });
  expect(created.status, created.text).toBe(201);
  const { id } = created.json<{ id: string }>();
  const watches = async (query = '') =>
    (await operator.call('GET', `/problems${query}`)).json<{ watches: object[] }>().watches;
  expect(await watches()).toEqual([]);
  const approve = { default: 'never', tools: { [toolName]: 'always' } };
  await operator.call('PATCH', `${inside}/connections/calendar`, { body: { approve } });
  const problem = {
    applicationId: service.clientId,
    id,
    accountId: connectedAccountId,
    toolName,
    identifier: 'ada',
    reason: 'approval_required',
  };
  await expect.poll(() => watches(), { timeout: 20_000 }).toEqual([problem]);
  expect(await watches(`?applicationId=${service.clientId}`)).toEqual([problem]);
  expect(await watches(`?applicationId=${otherId}`)).toEqual([]);
  expect((await operator.call('DELETE', `${inside}/watches/${id}`)).status).toBe(204);
  expect(await watches()).toEqual([]);
});

test('the overview is empty when there is no application', async () => {
  const { applications } = await read();
  for (const { id } of applications) await operator.call('DELETE', `/applications/${id}`);
  const { session, ...rest } = await read();
  expect([session.name, rest]).toEqual(['ada', { applications: [] }]);
});
