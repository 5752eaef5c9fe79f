import { calendar } from '@svc/calendar';
import { ApprovalRequiredError, manage } from '@svc/core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { rejection } from '../support/rejection.js';
import { type Application, fetchReply, type Reply, signIn } from '../support/service/application.js';
import { signInOperator } from '../support/service/operator.js';
import { addApplication } from '../support/service/second-application.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';

let service: Service;
let owner: Application;
let accountId: string;

beforeAll(async () => {
  service = await startService({ connectors: ['calendar'] });
  owner = await signIn(service);
  accountId = (await connectAccount(service, 'calendar', 'ada')).id;
});
afterAll(() => service.stop());

const NEVER = { default: 'never', tools: {} };
const setPolicy = async (approve: object) => {
  const { status } = await owner.call('PATCH', '/v1/connections/calendar', { body: { approve } });
  expect(status).toBe(200);
};
afterEach(() => setPolicy(NEVER));

const LIST = 'calendar_list_calendars';
const CREATE = 'calendar_create_event';
const eventOf = (summary: string) => ({ summary, start_datetime: '2026-12-01T09:00:00Z' });

const send = (token: string, method: string, path: string, body?: unknown): Promise<Reply> =>
  owner.call(method, path, { body, headers: { authorization: `Bearer ${token}` } });
const execute = (token: string, toolName: string, toolInput: unknown) =>
  send(token, 'POST', `/v1/tools/${toolName}/execute`, { connectedAccountId: accountId, toolInput });

async function issue(limits: object): Promise<string> {
  const body = { identifier: 'ada', expiresIn: 600, ...limits };
  return (await owner.call('POST', '/v1/agent-tokens', { body })).json<{ token: string }>().token;
}

interface Waiting {
  readonly code: string;
  readonly message: string;
  readonly details: { readonly id: string; readonly link: string; readonly expiresAt: string };
}

const errorOf = (reply: Reply) => reply.json<{ error: Waiting }>().error;

function waitingOf(reply: Reply): Waiting['details'] {
  expect([reply.status, reply.headers.get('svc-error')], reply.text).toEqual([403, 'approval_required']);
  return errorOf(reply).details;
}

const posts = async () =>
  (await service.sandbox.requests('calendar')).filter(({ method }) => method === 'POST').length;

describe('H1: approvals required by the policy of the connection', () => {
  test('an application decides, gets the result through its client, and sees the approval of the execution', async () => {
    const { approvals, connections, executions } = manage(service.svc);
    await connections.update('calendar', { approve: { default: 'never', tools: { [CREATE]: 'always' } } });
    const tools = calendar(service.svc, { connectionName: 'calendar', identifier: 'ada' });
    await tools.listCalendars({});
    const before = await posts();
    const error = await rejection(tools.createEvent(eventOf('Approved')));
    if (!(error instanceof ApprovalRequiredError)) throw error;
    expect(await posts()).toBe(before);
    expect(error.link).toMatch(new RegExp(`^${service.url}/approve/${error.id}\\.[\\w-]{43}$`));

    const { items } = await approvals.list({ status: 'pending' });
    expect(items).toMatchObject([{ id: error.id, link: error.link, identifier: 'ada', toolName: CREATE }]);
    await approvals.decide(error.id, { decision: 'approve' });
    const { data, executionId } = await tools.createEvent(eventOf('Approved'));
    expect(data).toMatchObject({ summary: 'Approved' });
    expect((await tools.createEvent(eventOf('Approved'))).executionId).toBe(executionId);
    expect(await posts()).toBe(before + 1);
    expect(await executions.get(executionId)).toMatchObject({ approvalId: error.id });
    expect(await approvals.get(error.id)).toMatchObject({ status: 'executed', executionId });
  });

  test('a policy for an unknown tool or a tool of another connector is refused', async () => {
    for (const name of ['calendar_create_evnt', 'video_videos_delete', '__proto__']) {
      const tools = JSON.parse(`{"${name}":"always"}`);
      const reply = await owner.call('PATCH', '/v1/connections/calendar', {
        body: { approve: { default: 'never', tools } },
      });
      expect(reply.status, name).toBe(400);
    }
  });

  test.each([
    { approve: { default: 'always', tools: {} }, reads: 403, writes: 403 },
    { approve: { default: 'destructive', tools: {} }, reads: 200, writes: 403 },
    { approve: { default: 'never', tools: { [CREATE]: 'always' } }, reads: 200, writes: 403 },
    { approve: { default: 'never', tools: { [CREATE]: 'never' } }, reads: 200, writes: 200 },
  ])('H2: the proxy refuses requests that need an approval: $approve', async ({ approve, reads, writes }) => {
    await setPolicy(approve);
    const before = await posts();
    const path = '/v1/proxy/calendar/ada/calendar/v3';
    expect((await owner.call('GET', `${path}/users/me/calendarList`)).status).toBe(reads);
    const [start, end] = ['09', '10'].map((hour) => ({ dateTime: `2026-12-01T${hour}:00:00Z` }));
    const reply = await owner.call('POST', `${path}/calendars/primary/events`, { body: { start, end } });
    expect(reply.status).toBe(writes);
    expect(await posts()).toBe(before + (writes === 200 ? 1 : 0));
  });
});

describe('H1: approvals required by the limits of a token', () => {
  test('a call waits, runs after the approval, and counts when it runs', async () => {
    const token = await issue({ approve: 'always', maxCalls: 1 });
    const { id, link } = waitingOf(await execute(token, CREATE, eventOf('By a token')));
    expect(waitingOf(await execute(token, CREATE, eventOf('By a token'))).id).toBe(id);
    expect(link).toBe(`${service.url}/dashboard/applications/${service.clientId}/approvals/${id}`);
    await owner.call('POST', `/v1/approvals/${id}`, { body: { decision: 'approve' } });
    const ran = await execute(token, CREATE, eventOf('By a token'));
    expect(ran.status, ran.text).toBe(200);
    expect((await execute(token, CREATE, eventOf('By a token'))).text).toBe(ran.text);
  });

  test('H3: the bearer can neither list nor decide approvals, not even of its own calls', async () => {
    const token = await issue({ approve: 'always' });
    const { id } = waitingOf(await execute(token, LIST, {}));
    const refused = [
      send(token, 'GET', '/v1/approvals'),
      send(token, 'GET', `/v1/approvals/${id}`),
      send(token, 'POST', `/v1/approvals/${id}`, { decision: 'approve' }),
    ];
    for (const reply of await Promise.all(refused)) expect(reply.status).toBe(403);
    const page = await fetchReply(`${service.url}/approve/${id}`, { method: 'POST', body: 'decision=allow' });
    expect(page.status).not.toBe(200);
    expect((await execute(token, LIST, {})).status).toBe(403);
  });

  test('H2: a token that is revoked in the meantime runs nothing', async () => {
    const body = { identifier: 'ada', expiresIn: 600, approve: 'always' };
    const issued = (await owner.call('POST', '/v1/agent-tokens', { body })).json<{
      id: string;
      token: string;
    }>();
    const { id } = waitingOf(await execute(issued.token, CREATE, eventOf('Too late')));
    await owner.call('POST', `/v1/approvals/${id}`, { body: { decision: 'approve' } });
    await owner.call('DELETE', `/v1/agent-tokens/${issued.id}`);
    const before = await posts();
    expect((await execute(issued.token, CREATE, eventOf('Too late'))).status).toBe(401);
    expect(await posts()).toBe(before);
  });

  test('H2: the proxy refuses requests that the token requires an approval for', async () => {
    const path = '/v1/proxy/calendar/ada/calendar/v3/users/me/calendarList';
    expect((await send(await issue({ approve: 'always' }), 'GET', path)).status).toBe(403);
    expect((await send(await issue({ approve: 'destructive' }), 'GET', path)).status).toBe(200);
  });

  test('H2: the policy of a connection overrides a more permissive token', async () => {
    await setPolicy({ default: 'always', tools: {} });
    waitingOf(await execute(await issue({ approve: 'never' }), LIST, {}));
  });
});

test('H3: operators decide according to their role, and never see the link', async () => {
  const token = await issue({ approve: 'always' });
  const { id } = waitingOf(await execute(token, LIST, { max_results: 3 }));
  const path = `/applications/${service.clientId}/approvals/${id}`;
  const as = async (role: 'reader' | 'operator') => {
    const { password } = await service.app.operators.create(`the.${role}`, role);
    return signInOperator({ url: service.url, name: `the.${role}`, password });
  };
  const [reader, operator] = [await as('reader'), await as('operator')];
  const seen = await reader.call('GET', path);
  expect(seen.status).toBe(200);
  expect(seen.text).not.toContain('/approve/');
  const body = { decision: 'approve' };
  expect((await reader.call('POST', path, { body })).status).toBe(403);
  expect((await operator.call('POST', path, { body })).json()).toMatchObject({
    status: 'approved',
    decidedBy: 'operator:the.operator',
  });
});

test('A1: approvals of another application respond 404', async () => {
  const stranger = await addApplication(service);
  const token = await issue({ approve: 'always' });
  const { id } = waitingOf(await execute(token, LIST, { max_results: 4 }));
  const none = await stranger.call('GET', '/v1/approvals/appr_none');
  const decide = { body: { decision: 'approve' } };
  for (const reply of [
    await stranger.call('GET', `/v1/approvals/${id}`),
    await stranger.call('POST', `/v1/approvals/${id}`, decide),
  ])
    expect(errorOf(reply)).toMatchObject({ code: 'not_found', message: errorOf(none).message });
  expect((await stranger.call('GET', '/v1/approvals')).json()).toEqual({ items: [] });
  waitingOf(await execute(token, LIST, { max_results: 4 }));
});
