import { createClient } from '@svc/calendar';
import { schemas } from '@svc/calendar/schemas';
import { schemas as strict } from '@svc/calendar/schemas/openai-strict';
import { AccountNotAuthorizedError, manage, ServiceError } from '@svc/core';
import { describe, expect, inject, test } from 'vitest';
import { type Approve, type ToolClient, ToolFailure, tools } from '../src/index.js';
import { runApproved } from '../src/run-approved.js';
import { recordedClient } from './support/recorded-client.js';
import { user } from './support/service.js';

const svc = manage(createClient(inject('service')));

describe('tools that call the service', () => {
  test('run a tool with the account and return its data', async () => {
    const { calendar_create_event } = tools(svc, { schemas, accounts: { calendar: user } });
    const event = await calendar_create_event.run({
      summary: 'Review',
      start_datetime: '2026-12-01T09:00:00Z',
    });
    expect(event.summary).toBe('Review');
  });

  test('replace halves of surrogate pairs in the data, which model vendors reject', async () => {
    const { client } = recordedClient({ items: [{ summary: 'Party \ud83c' }] });
    const { calendar_list_events } = tools(client, { schemas, accounts: { calendar: user } });
    expect(await calendar_list_events.run({})).toEqual({ items: [{ summary: 'Party \ufffd' }] });
  });

  test('ask for the approval of the input that the tool runs with', async () => {
    const { calendar_delete_event: tool } = tools(svc, { schemas, accounts: { calendar: user } });
    const asked: unknown[] = [];
    const approve: Approve = ({ input }) => asked.push(input) === 0;
    const running = runApproved(tool, { event_id: 5 }, { approve });
    expect(await failureOf(running)).toMatchObject({ code: 'denied' });
    expect(asked).toEqual([{ event_id: '5' }]);
  });

  test('accept null for every omitted field, as strict models send it', async () => {
    const { calendar_create_event: tool } = tools(svc, { schemas: strict, accounts: { calendar: user } });
    const absent = Object.keys(tool.inputSchema['properties'] ?? {}).map((name) => [name, null]);
    const event = await tool.run({
      ...Object.fromEntries(absent),
      summary: 'Strict review',
      start_datetime: '2026-12-01T09:00:00Z',
    });
    expect(event.summary).toBe('Strict review');
  });

  test('return the authorization link when the user has never connected or is unauthorized', async () => {
    const newcomer = { connectionName: 'calendar', identifier: 'never connected' };
    const { calendar_list_calendars } = tools(svc, { schemas, accounts: { calendar: newcomer } });
    // The first loop finds no account, because the first authorization link creates it.
    for (const items of [[], [{ status: 'unauthorized' }]]) {
      expect(await svc.accounts.list({ identifier: newcomer.identifier })).toMatchObject({ items });
      const failure = await failureOf(calendar_list_calendars.run({}));
      expect(failure).toMatchObject({
        code: 'account_not_authorized',
        advice: expect.stringContaining('link'),
      });
      expect(failure.link).toMatch(/^http:\/\/localhost:\d+\/connect\//);
    }
  });

  test('report every broken rule to the model and run nothing', async () => {
    const { calendar_create_event } = tools(svc, { schemas, accounts: { calendar: user } });
    const failure = await failureOf(calendar_create_event.run({ start_datetime: 'tomorrow', colour: 'red' }));
    expect(failure.code).toBe('invalid_input');
    expect(failure.problems?.map(({ field }) => field)).toContain('start_datetime');
    expect(failure.problems?.map(({ field }) => field)).toContain('colour');
  });

  test('report the upstream status to the model', async () => {
    const { calendar_get_event_by_id } = tools(svc, { schemas, accounts: { calendar: user } });
    const failure = await failureOf(calendar_get_event_by_id.run({ event_id: 'nowhere' }));
    expect(failure).toMatchObject({ code: 'upstream_failed', upstream: { status: 404 } });
  });

  test('plan a call for a person to review, without changing anything', async () => {
    const bound = tools(svc, { schemas, accounts: { calendar: user } });
    const event = await bound.calendar_create_event.run({
      summary: 'Stays',
      start_datetime: '2026-12-01T09:00:00Z',
    });
    const { requests } = await bound.calendar_delete_event.plan({ event_id: event.id });
    expect(requests).toMatchObject([{ method: 'DELETE', path: expect.stringContaining(event.id) }]);
    const stored = await bound.calendar_get_event_by_id.run({ event_id: event.id });
    expect(stored.status).toBe('confirmed');
  });

  test('fail each dry-run call with the planned requests and need no approval', async () => {
    const dry = tools(svc, { schemas, accounts: { calendar: user }, dryRun: true });
    const input = { summary: 'Only a rehearsal', start_datetime: '2026-12-01T09:00:00Z' };
    expect(await failureOf(dry.calendar_create_event.run(input))).toMatchObject({
      code: 'dry_run',
      plan: { requests: [{ method: 'POST', body: { summary: input.summary } }], isComplete: true },
    });
    expect((await failureOf(dry.calendar_create_event.run({}))).code).toBe('invalid_input');
    expect(dry.calendar_delete_event.needsApproval).toBe(false);
    const { calendar_list_events } = tools(svc, { schemas, accounts: { calendar: user } });
    expect((await calendar_list_events.run({ query: input.summary })).items).toEqual([]);
  });

  test('reject an aborted call with the reason of the signal', async () => {
    const { calendar_list_calendars } = tools(svc, { schemas, accounts: { calendar: user } });
    const reason = new Error('The user went away.');
    await expect(calendar_list_calendars.run({}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  test.each(['run', 'plan'] as const)('%s aborts the request for the authorization link', async (method) => {
    const abort = new AbortController();
    const reason = new Error('The user went away.');
    const error = new AccountNotAuthorizedError({ code: 'account_not_authorized', message: 'No consent.' });
    error.getLink = async (options) => {
      abort.abort(reason);
      options?.signal?.throwIfAborted();
      return { link: 'https://svc.example.com/connect/x', expiresAt: '2026-12-01T09:00:00Z' };
    };
    const client: ToolClient = { executeTool: () => Promise.reject(error) };
    const { calendar_list_calendars: tool } = tools(client, { schemas, accounts: { calendar: 'acct_1' } });
    await expect(tool[method]({}, { signal: abort.signal })).rejects.toBe(reason);
  });
});

describe('the tools function', () => {
  test('returns only the selected tools and marks destructive ones as needing approval', () => {
    const { client } = recordedClient();
    const only = ['calendar_delete_event', 'calendar_create_event'] as const;
    const chosen = tools(client, { schemas, accounts: { calendar: 'acct_1' }, only });
    expect(Object.keys(chosen)).toEqual(only);
    expect(chosen.calendar_delete_event.needsApproval).toBe(true);
    expect(chosen.calendar_create_event.needsApproval).toBe(false);
  });

  test('lets the application decide which tools need approval', () => {
    const { client } = recordedClient();
    const options = { schemas, accounts: { calendar: 'acct_1' }, needsApproval: () => true } as const;
    expect(tools(client, options).calendar_list_calendars.needsApproval).toBe(true);
  });

  test('gives each changing call its own idempotency key and marks reading calls as read-only', async () => {
    const { client, calls } = recordedClient();
    const bound = tools(client, { schemas, accounts: { calendar: { id: 'acct_1' } } });
    await bound.calendar_delete_event.run({ event_id: 'e1' });
    await bound.calendar_delete_event.run({ event_id: 'e1' });
    await bound.calendar_list_calendars.run({});
    const [first, second, read] = calls.map(({ options }) => options);
    expect(first?.idempotencyKey).toMatch(/-/);
    expect(second?.idempotencyKey).not.toBe(first?.idempotencyKey);
    expect(read).toMatchObject({ readOnly: true });
    expect(calls[0]?.call).toMatchObject({ connectedAccountId: 'acct_1', schemaVersion: '1.0.0' });
  });
});

describe('a call that a person must approve in the service', () => {
  test('is reported to the model without the approval link, which only the error cause contains', async () => {
    const link = 'https://svc.example.com/approve/secret';
    const message = `A person has to approve this call first: ${link} Nothing ran.`;
    const cause = new ServiceError({ code: 'approval_required', message, status: 403, details: { link } });
    const client: ToolClient = { executeTool: () => Promise.reject(cause) };
    const { calendar_delete_event } = tools(client, { schemas, accounts: { calendar: 'acct_1' } });
    const error = await calendar_delete_event.run({ event_id: 'e1' }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ failure: { code: 'approval_required' }, cause });
    expect(String(error)).not.toContain(link);
  });
});

test('truncates a long upstream body between two characters', async () => {
  const details = { status: 500, body: `a${'😀'.repeat(1500)}` };
  const error = new ServiceError({ code: 'upstream_failed', message: 'No.', details });
  const client: ToolClient = { executeTool: () => Promise.reject(error) };
  const { calendar_list_calendars } = tools(client, { schemas, accounts: { calendar: 'acct_1' } });
  const { upstream } = await failureOf(calendar_list_calendars.run({}));
  expect(String(upstream?.body)).toMatch(/^a(😀)+…$/u);
});

test('replaces halves of surrogate pairs in an upstream body', async () => {
  const details = { status: 400, body: { message: 'Party \ud83c' } };
  const error = new ServiceError({ code: 'upstream_failed', message: 'No.', details });
  const client: ToolClient = { executeTool: () => Promise.reject(error) };
  const { calendar_list_calendars } = tools(client, { schemas, accounts: { calendar: 'acct_1' } });
  const { upstream } = await failureOf(calendar_list_calendars.run({}));
  expect(upstream?.body).toEqual({ message: 'Party \ufffd' });
});

test('a call that must not be repeated gets no link, and keeps its completed part', async () => {
  const cause = new ServiceError({
    code: 'account_not_authorized',
    message: 'An earlier attempt may have taken effect.',
    details: { repeatable: false, progress: { data: { id: 'evt_1' } } },
  });
  const client: ToolClient = { executeTool: () => Promise.reject(cause) };
  const { calendar_create_event } = tools(client, { schemas, accounts: { calendar: 'acct_1' } });
  const failure = await failureOf(
    calendar_create_event.run({ summary: 'Review', start_datetime: '2026-12-01T09:00:00Z' }),
  );
  expect(failure).toEqual({
    code: cause.code,
    message: cause.message,
    progress: { data: { id: 'evt_1' } },
    advice: expect.stringContaining('Do not call the tool again'),
  });
});

describe('the advice in a tool failure', () => {
  const change = [
    'calendar_create_event',
    { summary: 'Review', start_datetime: '2026-12-01T09:00:00Z' },
  ] as const;
  const twice = ['calendar_delete_event', { event_id: 'e1' }] as const;
  const read = ['calendar_list_calendars', {}] as const;
  const all = ['connection_failed', 'upstream_timeout', 'timeout'];

  test.each([
    { of: change, codes: all, advice: /Check the result/ },
    { of: twice, codes: all, advice: /again once/ },
    { of: read, codes: all, advice: /again once/ },
    { of: change, codes: ['approval_required'], advice: /exactly the same input/ },
    { of: change, codes: ['approval_denied'], advice: /Do not call/ },
    { of: change, codes: ['conflict'], retryAfter: 1, advice: /retryAfter/ },
    { of: change, codes: ['conflict'], advice: /Tell the user/ },
  ])(
    'gives $of.0 that failed with $codes the advice $advice',
    async ({ of: [name, input], codes, retryAfter, advice }) => {
      for (const code of codes) {
        const error = new ServiceError({ code, message: code, ...(retryAfter && { retryAfter }) });
        const client: ToolClient = { executeTool: () => Promise.reject(error) };
        const bound = tools(client, { schemas, accounts: { calendar: 'acct_1' } });
        expect((await failureOf(bound[name].run(input))).advice).toMatch(advice);
      }
    },
  );
});

async function failureOf(run: Promise<unknown>) {
  const error = await run.catch((thrown: unknown) => thrown);
  if (!(error instanceof ToolFailure)) throw new Error('It did not fail as it should.', { cause: error });
  expect(JSON.parse(error.message)).toEqual({ error: error.failure });
  return error.failure;
}

/** The function never runs. The compiler checks which calls compile. */
export async function typesAreExact(): Promise<unknown> {
  const one = tools(svc, { schemas, accounts: { calendar: user }, only: ['calendar_create_event'] });
  const event = await one.calendar_create_event.run({});
  const id: string = event.id;
  return [
    id,
    // @ts-expect-error: it was not chosen
    one.calendar_delete_event,
    // @ts-expect-error: there is no such tool
    tools(svc, { schemas, accounts: { calendar: user }, only: ['calendar_create'] }),
    // @ts-expect-error: the calendar has no account
    tools(svc, { schemas, accounts: {} }),
    // @ts-expect-error: a name is missing
    tools(svc, { schemas, accounts: { calendar: [{ account: 'acct_1' }] } }),
  ];
}
