import { type Calendar, calendar } from '@svc/calendar';
import type { ConnectedAccount } from '@svc/core';
import type { FailNext } from '@svc/sandbox';
import { type Workspace, workspace } from '@svc/workspace';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { rejection } from '../support/rejection.js';
import { connectApart } from '../support/service/connect-apart.js';
import { type Service, startService } from '../support/service/service.js';
import { titled } from '../support/tools/rich-text.js';

const ID = '59833787-2cf9-4fdf-8782-e53db20768a5';

let service: Service;

beforeAll(async () => {
  // Retries wait a random share of at least 1 s. A share of 0 makes them start at once.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  service = await startService();
});

afterAll(() => service.stop());

interface Tools {
  readonly account: ConnectedAccount;
  readonly pages: Workspace;
  readonly events: Calendar;
}

interface Row {
  readonly title: string;
  readonly connector: 'workspace' | 'calendar';
  readonly dial: FailNext;
  readonly call: (tools: Tools) => Promise<unknown>;
  /** Statuses of the responses that the upstream must have sent, in order. */
  readonly statuses: readonly number[];
}

/** Makes the upstream fail, runs the call, and returns the error and the upstream's statuses. */
async function callAgainst({ connector, dial, call }: Pick<Row, 'connector' | 'dial' | 'call'>) {
  const { svc, sandbox } = service;
  const account = await connectApart(service, connector);
  const tools = { account, pages: workspace(svc, account), events: calendar(svc, account) };
  await sandbox.dials(connector, { failNext: dial });
  await sandbox.clearRequests();
  const error = await rejection(call(tools));
  const statuses = (await sandbox.requests()).map(({ status }) => status);
  await sandbox.dials(connector, { failNext: null });
  return { error, statuses, tools };
}

const reason = (name: string, domain = 'usageLimits') => ({
  error: { code: 403, message: name, errors: [{ message: name, domain, reason: name }] },
});
const review = { summary: 'Review', start_datetime: '2026-12-01T09:00:00Z' };

async function renameWelcome({ pages }: Tools): Promise<void> {
  const { data } = await pages.pagesSearch({ query: 'Welcome' });
  await pages.pageUpdate({ page_id: `${data.results?.[0]?.id}`, properties: titled('Welcome back') });
}

test.each<Row>([
  {
    title: 'a read after 500',
    connector: 'workspace',
    dial: { count: 2, status: 500 },
    call: ({ pages }) => pages.usersList(),
    statuses: [500, 500, 200],
  },
  {
    title: 'a search by POST after 503',
    connector: 'workspace',
    dial: { count: 1, status: 503 },
    call: ({ pages }) => pages.pagesSearch({ query: 'Welcome' }),
    statuses: [503, 200],
  },
  {
    title: 'a change after a conflict',
    connector: 'workspace',
    dial: { count: 1, status: 409, match: { method: 'PATCH', path: '/v1/pages/' } },
    call: renameWelcome,
    statuses: [200, 409, 200],
  },
  {
    title: 'a change when the upstream is overloaded',
    connector: 'workspace',
    dial: { count: 1, status: 529, match: { method: 'PATCH', path: '/v1/pages/' } },
    call: renameWelcome,
    statuses: [200, 529, 200],
  },
  {
    title: 'a read after 429 with Retry-After',
    connector: 'workspace',
    dial: { count: 2, status: 429, headers: { 'retry-after': '0' } },
    call: ({ pages }) => pages.usersList(),
    statuses: [429, 429, 200],
  },
  {
    title: 'a new event after 429',
    connector: 'calendar',
    dial: { count: 1, status: 429, headers: { 'retry-after': '0' } },
    call: ({ events }) => events.createEvent(review),
    statuses: [429, 200],
  },
  {
    title: 'a calendar read after 403 userRateLimitExceeded',
    connector: 'calendar',
    dial: { count: 1, status: 403, body: reason('userRateLimitExceeded') },
    call: ({ events }) => events.listCalendars(),
    statuses: [403, 200],
  },
  {
    title: 'a new event after 403 rateLimitExceeded',
    connector: 'calendar',
    dial: { count: 1, status: 403, body: reason('rateLimitExceeded') },
    call: ({ events }) => events.createEvent(review),
    statuses: [403, 200],
  },
])('retries $title', async (row) => {
  const { error, statuses } = await callAgainst(row);

  expect(error).toBeUndefined();
  expect(statuses).toEqual(row.statuses);
});

test.each<Row>([
  {
    title: 'a read that fails a third time',
    connector: 'workspace',
    dial: { count: 9, status: 500 },
    call: ({ pages }) => pages.usersList(),
    statuses: [500, 500, 500],
  },
  {
    title: 'a read with a Retry-After above 20 seconds',
    connector: 'workspace',
    dial: { count: 1, status: 429, headers: { 'retry-after': '21' } },
    call: ({ pages }) => pages.usersList(),
    statuses: [429],
  },
  {
    title: 'a read after 403',
    connector: 'workspace',
    dial: { count: 1, status: 403 },
    call: ({ pages }) => pages.usersList(),
    statuses: [403],
  },
  {
    title: 'a calendar read without the required scope',
    connector: 'calendar',
    dial: { count: 1, status: 403, body: reason('insufficientPermissions', 'global') },
    call: ({ events }) => events.listCalendars(),
    statuses: [403],
  },
  {
    title: 'a new event after 403 quotaExceeded',
    connector: 'calendar',
    dial: { count: 1, status: 403, body: reason('quotaExceeded') },
    call: ({ events }) => events.createEvent(review),
    statuses: [403],
  },
  {
    title: 'blocks that may have been appended',
    connector: 'workspace',
    dial: { count: 1, status: 502 },
    call: ({ pages }) => pages.blocksAppend({ block_id: ID, blocks: [{ type: 'divider' }] }),
    statuses: [502],
  },
  {
    title: 'a proxied read, which its caller can retry',
    connector: 'workspace',
    dial: { count: 1, status: 500 },
    call: ({ account: { connectionName, identifier } }) =>
      service.svc.request({ connectionName, identifier, path: '/v1/users/me', method: 'GET' }),
    statuses: [500],
  },
])('returns the error without further retries: $title', async (row) => {
  const { error, statuses } = await callAgainst(row);

  // `attempts` reports that the service has retried, so that the client does not retry as well.
  const { length: attempts } = row.statuses;
  expect(error).toMatchObject({
    code: 'upstream_failed',
    status: row.dial.status,
    ...(attempts > 1 && { attempts }),
  });
  expect(statuses).toEqual(row.statuses);
});

test('a failure after a create causes no second event', async () => {
  const { error, statuses, tools } = await callAgainst({
    connector: 'calendar',
    dial: { count: 1, status: 500, match: { method: 'POST', path: '/calendar' } },
    call: ({ events }) => events.createEvent({ ...review, summary: 'Once' }),
  });
  const { data: list } = await tools.events.listEvents({ query: 'Once' });

  expect(error).toMatchObject({ status: 500, advice: expect.stringContaining('check whether it exists') });
  expect(statuses).toEqual([500]);
  expect(list.items).toEqual([]);
});
