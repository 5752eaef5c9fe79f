import { expect, test } from 'vitest';
import {
  ACCOUNT,
  AGENT_GRANT,
  CALL_APPROVAL,
  CONNECTION,
  DELIVERY,
  ENDPOINT,
  EVENT,
  EXECUTION,
  NARROWED,
  SERVICE_EVENT,
} from '../../../test/support/databases/sample-rows.js';
import { createOperator } from '../../../test/support/service/create-operator.js';
import { addApplication } from '../../../test/support/service/service-parts.js';
import type { FoundGroup, SearchResult } from '../../records/search.js';

const SEARCH = '/operator/v1/search';
const STARTED = Date.parse('2026-11-20T09:00:00Z');
const TIME = STARTED.toString(16).padStart(12, '0');
const END = 'ab12'.repeat(6);

const IDS = {
  request: `req_${END}`,
  execution: `exec_${TIME}${'0'.repeat(20)}`,
  event: `audit_${END}`,
  account: `acct_${END}`,
  approval: `appr_${END}`,
  grant: `grant_${END}`,
  token: `tok_${END}`,
  endpoint: `ep_${END}`,
  serviceEvent: `evt_${END}`,
  delivery: `dlv_${END}`,
};

/** Stores one object of each kind in the first application, and one account in a second application. */
async function createSearched() {
  const operator = await createOperator();
  const { storage, applicationId, connection } = operator;
  const own = { applicationId };
  const [secret] = await storage.applications.liveSecrets(applicationId);
  const account = { ...ACCOUNT, ...own, connectionId: connection.id, identifier: 'Ada.Lovelace@example.com' };
  await storage.accounts.insert({ ...account, id: IDS.account });
  const failed = { status: 502, errorCode: 'upstream_failed' };
  await storage.executions.insert([
    {
      ...EXECUTION,
      ...own,
      ...failed,
      id: IDS.execution,
      accountId: IDS.account,
      startedAt: STARTED,
      requestId: IDS.request,
    },
  ]);
  const event = { ...EVENT, ...own, id: IDS.event, at: STARTED, action: 'authorization.refused' };
  await storage.auditEvents.insert([{ ...event, object: IDS.account, requestId: IDS.request }]);
  await storage.callApprovals.insert({ ...CALL_APPROVAL, ...own, id: IDS.approval, accountId: IDS.account });
  await storage.agentGrants.insert({ ...AGENT_GRANT, ...own, id: IDS.grant, clientName: 'Assistant' });
  await storage.narrowedTokens.insert({
    ...NARROWED,
    ...own,
    id: IDS.token,
    clientSecretId: secret?.id ?? '',
  });
  const endpoint = { id: IDS.endpoint, ...own };
  await storage.webhookEndpoints.insert({ ...ENDPOINT, ...endpoint });
  await storage.events.insert([{ ...SERVICE_EVENT, ...own, id: IDS.serviceEvent }]);
  const ids = { id: IDS.delivery, endpointId: IDS.endpoint, eventId: IDS.serviceEvent };
  await storage.eventDeliveries.insert([{ ...DELIVERY, ...own, ...ids }]);
  const find = async (q: string): Promise<SearchResult> =>
    (await operator.call('GET', `${SEARCH}?q=${encodeURIComponent(q)}`)).json();
  return { ...operator, account, find };
}

const namesOf = (groups: readonly FoundGroup[]) =>
  groups.map(({ kind, items }) => [kind, items.map(({ id }) => id)]);

test.each([
  { title: 'a request id', q: IDS.request, kinds: ['execution', 'auditEvent'] },
  { title: 'the beginning of a request id', q: 'req_ab12', kinds: ['execution', 'auditEvent'] },
  { title: 'an execution id', q: IDS.execution, kinds: ['execution'] },
  { title: 'the beginning of an execution id', q: `exec_${TIME.slice(0, 9)}`, kinds: ['execution'] },
  { title: 'an audit event id', q: IDS.event, kinds: ['auditEvent'] },
  { title: 'an account id', q: IDS.account, kinds: ['account', 'auditEvent'] },
  { title: 'an account id in upper case with spaces', q: ` ACCT_${END} `, kinds: ['account', 'auditEvent'] },
  { title: 'an approval id', q: IDS.approval, kinds: ['approval'] },
  { title: 'the beginning of a grant id', q: 'grant_ab', kinds: ['agentGrant'] },
  { title: 'a token id', q: IDS.token, kinds: ['token'] },
  { title: 'the id of a webhook endpoint', q: IDS.endpoint, kinds: ['webhookEndpoint'] },
  { title: 'the id of a webhook event', q: IDS.serviceEvent, kinds: ['event'] },
  { title: 'the beginning of a delivery id', q: 'dlv_ab12', kinds: ['delivery'] },
  { title: 'the beginning of an identifier', q: 'ada.', kinds: ['user'] },
  { title: 'a part of an identifier in other case', q: 'LOVELACE', kinds: ['user'] },
])('the search finds $title', async ({ q, kinds }) => {
  const { find, applicationId } = await createSearched();
  const { groups } = await find(q);
  expect(groups.map(({ kind }) => kind)).toEqual(kinds);
  for (const { items, hasMore } of groups) {
    expect(hasMore).toBe(false);
    expect(items).toMatchObject([{ applicationId }]);
  }
});

test('the search says of an execution what it called, how it ended and when', async () => {
  const { find, applicationId } = await createSearched();
  const { groups } = await find(IDS.execution);
  const item = { id: IDS.execution, applicationId, title: 'mail_send', state: 'upstream_failed' };
  expect(groups).toEqual([
    { kind: 'execution', items: [{ ...item, at: '2026-11-20T09:00:00.000Z' }], hasMore: false },
  ]);
});

test('the search finds a connection by its id', async () => {
  const { find, connection } = await createSearched();
  expect(namesOf((await find(connection.id)).groups)).toContainEqual(['connection', [connection.id]]);
});

test('the search finds the users of all applications once each, and says if there are more', async () => {
  const { storage, find, account, ...parts } = await createSearched();
  const other = await addApplication({ storage, ...parts }, 'Other');
  await storage.connections.insert({ ...CONNECTION, id: 'conn_other', applicationId: other });
  for (let at = 0; at < 12; at += 1) {
    const row = { ...account, applicationId: other, connectionId: 'conn_other', account: '' };
    await storage.accounts.insert({ ...row, id: `acct_a${at}`, identifier: `Grace%${at}` });
    await storage.accounts.insert({ ...row, id: `acct_b${at}`, identifier: `Grace%${at}`, account: 'work' });
  }
  const [group] = (await find('grace')).groups;
  expect(group).toMatchObject({ kind: 'user', hasMore: true });
  expect(new Set(group?.items.map(({ id }) => id)).size).toBe(10);
  expect(group?.items.every(({ applicationId }) => applicationId === other)).toBe(true);
  expect((await find('ace%1')).groups[0]?.items.map(({ id }) => id).sort()).toEqual([
    'Grace%1',
    'Grace%10',
    'Grace%11',
  ]);
  expect((await find('ac_%')).groups).toEqual([]);
});

test('the search says how long records are kept if no record has the id', async () => {
  const { find } = await createSearched();
  for (const q of ['req_000000000000000000000000', 'exec_x', 'req_', 'nobody here'])
    expect(await find(q)).toEqual({ groups: [], keptDays: { executions: 30, audit: 365 } });
});

test.each(['', 'q=', `q=${'a'.repeat(257)}`, 'q=abc&limit=5'])(
  'the search refuses the query "%s"',
  async (query) => {
    const { call } = await createSearched();
    expect((await call('GET', `${SEARCH}?${query}`)).statusCode).toBe(400);
  },
);

test('D3: readers can search, and nobody can without a session', async () => {
  const { app, operators, post, callsOf } = await createSearched();
  const { password } = await operators.create('grace', 'reader');
  const asReader = callsOf(await post('/operator/v1/session', { name: 'grace', password }));
  expect((await asReader('GET', `${SEARCH}?q=${IDS.request}`)).json().groups).toHaveLength(2);
  expect((await app.inject({ url: `${SEARCH}?q=${IDS.request}` })).statusCode).toBe(401);
});

test('audit events can be filtered by user, object, outcome and request, and counted', async () => {
  const { storage, call, applicationId, account } = await createSearched();
  const more = [
    { id: 'audit_1', object: IDS.token, action: 'agent_token.created' },
    { id: 'audit_2', object: IDS.grant, result: 'refused' as const },
    { id: 'audit_3', object: 'acct_of_nobody' },
  ];
  // Stores an account of the user `ada`, to whom the token and the MCP grant in the sample data belong.
  await storage.accounts.insert({ ...account, id: 'acct_ada', identifier: 'ada' });
  await storage.auditEvents.insert([
    ...more.map((event, at) => ({ ...EVENT, applicationId, action: 'account.created', at, ...event })),
    { ...EVENT, applicationId, action: 'account.created', at: 9, id: 'audit_4', object: 'acct_ada' },
  ]);
  const idsOf = async (query: string) => {
    const reply = await call('GET', `/operator/v1/audit-events?applicationId=${applicationId}&${query}`);
    return reply.json<{ items: readonly { id: string }[] }>().items.map(({ id }) => id);
  };
  expect(await idsOf('identifier=ada')).toEqual(['audit_4', 'audit_2', 'audit_1']);
  expect(await idsOf('identifier=ada&order=oldest')).toEqual(['audit_1', 'audit_2', 'audit_4']);
  expect(await idsOf('identifier=ada&result=refused')).toEqual(['audit_2']);
  expect(await idsOf('identifier=ada&action=agent_token.created')).toEqual(['audit_1']);
  expect(await idsOf(`object=${IDS.token}`)).toEqual(['audit_1']);
  expect(await idsOf(`requestId=${IDS.request}`)).toEqual([IDS.event]);
  expect(await idsOf(`requestId=${IDS.request}&identifier=ada`)).toEqual([]);
  expect(await idsOf('identifier=nobody')).toEqual([]);
  expect((await call('GET', '/operator/v1/audit-events?identifier=ada')).statusCode).toBe(400);
  const counted = `/operator/v1/audit-events/count?applicationId=${applicationId}`;
  expect((await call('GET', `${counted}&identifier=ada`)).json()).toEqual({ count: 3, more: false });
  expect((await call('GET', `${counted}&action=account.created`)).json()).toMatchObject({
    more: false,
  });
  for (const object of ['acct_ada', IDS.token, IDS.grant])
    expect((await call('GET', `/operator/v1/audit-events?object=${object}`)).json().items).toMatchObject([
      { object, identifier: 'ada' },
    ]);
});

test('a page of a user’s audit events continues where the last page ended', async () => {
  const { storage, call, applicationId, account } = await createSearched();
  await storage.accounts.insert({ ...account, id: 'acct_1', identifier: 'ada' });
  await storage.accounts.insert({ ...account, id: 'acct_2', identifier: 'ada', account: 'work' });
  await storage.auditEvents.insert(
    Array.from({ length: 20 }, (_, index) => ({
      ...EVENT,
      applicationId,
      action: 'account.created',
      at: STARTED + Math.floor(index / 3),
      id: `audit_${String(index).padStart(2, '0')}`,
      object: `acct_${1 + (index % 2)}`,
    })),
  );
  const ids: string[] = [];
  let token = '';
  do {
    const page = `applicationId=${applicationId}&identifier=ada&pageSize=3${token && `&pageToken=${token}`}`;
    const reply = (await call('GET', `/operator/v1/audit-events?${page}`)).json();
    ids.push(...reply.items.map(({ id }: { id: string }) => id));
    token = reply.nextPageToken ?? '';
  } while (token !== '');
  expect(ids).toEqual(
    Array.from({ length: 20 }, (_, index) => `audit_${String(19 - index).padStart(2, '0')}`),
  );
});
