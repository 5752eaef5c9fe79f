import { fileURLToPath } from 'node:url';
import { calendar, createClient, isServiceError, manage, type ServiceError } from '@svc/calendar';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FAILURE_STATUS, type FailureCode } from '../src/failures.js';
import { type FakeService, fakeService } from '../src/index.js';

const isFull = process.env['SVC_TEST_FULL'] === '1';
const NO_TOOL: string = 'calendar_nothing';
const user = { connectionName: 'calendar', identifier: 'user_42' };
const review = { summary: 'Review', start_datetime: '2026-12-01T09:00:00Z' };

let service: FakeService;
beforeEach(() => {
  service = fakeService();
});
afterEach(() => service.stop());

const events = () => calendar(service.client, user);
const failureOf = async (call: Promise<unknown>): Promise<ServiceError> => {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (isServiceError(error)) return error;
  throw new Error('It did not fail with an error of the service.', { cause: error });
};

test('returns replies in order and repeats the last one', async () => {
  service.fake.calendar.createEvent.replies({ id: 'a' }).replies(({ summary }) => ({ id: summary }));
  const ids = [];
  for (const summary of ['1', '2', '3'])
    ids.push((await events().createEvent({ ...review, summary })).data.id);
  expect(ids).toEqual(['a', '2', '3']);
  service.fake.calendar.createEvent.replies({ id: 'b' });
  expect((await events().createEvent(review)).data.id).toBe('b');
});

test('records the input, the account and the idempotency key of every call', async () => {
  const account = await service.client.getOrCreateConnectedAccount(user);
  await calendar(service.client, account).createEvent(review, { idempotencyKey: 'order-1' });
  await calendar(service.client, 'acct_unseen').createEvent(review);
  expect(account).toMatchObject({ ...user, status: 'authorized' });
  expect(service.fake.calendar.createEvent.calls).toEqual([
    { input: review, connectedAccountId: account.id, ...user, idempotencyKey: 'order-1' },
    { input: review, connectedAccountId: 'acct_unseen', idempotencyKey: expect.any(String) },
  ]);
});

test('tells the accounts of one user apart by their labels', async () => {
  const work = { ...user, account: 'work' };
  const account = await service.client.getOrCreateConnectedAccount({ ...work, tags: ['beta'] });
  const plain = await service.client.getOrCreateConnectedAccount(user);
  expect(account).toMatchObject({ ...work, id: 'acct_calendar_user_42_work', tags: ['beta'] });
  expect(plain).toMatchObject({ ...user, id: 'acct_calendar_user_42', tags: [] });
  expect(plain).not.toHaveProperty('account');
  expect(await manage(service.client).accounts.get(work)).toEqual(account);
  for (const each of [work, account.id, { ...user, account: '' }, plain.id])
    await calendar(service.client, each).listCalendars();
  expect(service.fake.calendar.listCalendars.calls).toMatchObject([work, work, user, user]);
  expect(service.fake.calendar.listCalendars.calls.map(({ account: label }) => label)).toEqual([
    'work',
    'work',
    undefined,
    undefined,
  ]);
});

test('a reply function can return other data for each label', async () => {
  service.fake.calendar.createEvent.replies((_, { identifier, account = 'no label' }) => ({
    id: `${identifier}, ${account}`,
  }));
  const bookOf = async (account: object) =>
    (await calendar(service.client, { ...user, ...account }).createEvent(review)).data.id;
  expect(await bookOf({ account: 'work' })).toBe('user_42, work');
  expect(await bookOf({})).toBe('user_42, no label');
});

test('account_not_authorized names the label, and its link is for the labelled account', async () => {
  const work = { ...user, account: 'out & about' };
  service.fake.calendar.createEvent.fails('account_not_authorized');
  const error = await failureOf(calendar(service.client, work).createEvent(review));
  expect(error).toMatchObject({
    ...work,
    authorizationLinkPath:
      '/v1/connections/calendar/accounts/user_42/authorization-link?account=out%20%26%20about',
  });
});

test('serializes the data of a reply function and isolates its input from the recorded call', async () => {
  service.fake.calendar.createEvent.replies((input) => {
    input.summary = 'Changed';
    return { id: 'a', updated: new Date(0) as unknown as string };
  });
  expect((await events().createEvent(review)).data.updated).toBe('1970-01-01T00:00:00.000Z');
  expect(service.fake.calendar.createEvent.calls).toMatchObject([{ input: review }]);
});

test('returns a link for an account that the fake has not seen', async () => {
  service.fake.calendar.listCalendars.fails('account_not_authorized');
  const error = await failureOf(calendar(service.client, 'acct_unseen').listCalendars());
  if (!isServiceError(error, 'account_not_authorized')) throw error;
  expect((await error.getLink()).link).toMatch(/\/connect\//);
});

test('distinguishes accounts whose joined names are equal', async () => {
  const names = { connectionName: 'calendar_work', identifier: '1' };
  const one = await service.client.getOrCreateConnectedAccount({ ...user, identifier: 'work_1' });
  const other = await service.client.getOrCreateConnectedAccount(names);
  expect(other.id).not.toBe(one.id);
  expect((await service.client.getOrCreateConnectedAccount(user)).id).toBe('acct_calendar_user_42');
  await calendar(service.client, one.id).listCalendars();
  expect(service.fake.calendar.listCalendars.calls).toMatchObject([{ identifier: 'work_1' }]);
});

test('paging ends by default and with given replies', async () => {
  const names = [];
  for await (const { id } of events().listEvents.each({})) names.push(id);
  service.fake.calendar.listEvents
    .replies({ items: [{ id: 'a' }], nextPageToken: 'more' })
    .replies({ items: [{ id: 'b' }] });
  for await (const { id } of events().listEvents.each({})) names.push(id);
  expect(names).toEqual([expect.any(String), 'a', 'b']);
});

test.each(Object.entries(FAILURE_STATUS) as [FailureCode, number][])(
  'fails with %s',
  async (code, status) => {
    const details = { status, errors: [], message: 'As it is.' };
    service.fake.calendar.createEvent.fails(code, details);
    const error = await failureOf(
      calendar(service.client.withOptions({ maxRetries: 0 }), user).createEvent(review),
    );
    expect(error).toMatchObject({ code, status, message: 'As it is.', requestId: expect.any(String) });
  },
);

test('retries temporary failures without a delay unless the test sets retryAfter', async () => {
  service.fake.calendar.createEvent.fails('unavailable').fails('rate_limited').replies({ id: 'third' });
  expect((await events().createEvent(review)).data.id).toBe('third');
  expect(service.fake.calendar.createEvent.calls).toHaveLength(3);
  service.fake.calendar.createEvent.fails('unavailable');
  const body = JSON.stringify({ ...user, toolInput: review });
  const url = `${service.environmentUrl}/v1/tools/calendar_create_event/execute`;
  expect((await fetch(url, { method: 'POST', body })).headers.get('retry-after')).toBe('0');
  service.fake.calendar.createEvent.fails('rate_limited', { retryAfter: 3600 });
  expect(await failureOf(events().createEvent(review, { timeout: 100 }))).toMatchObject({ retryAfter: 3600 });
});

test('account_not_authorized names the account and has a link', async () => {
  service.fake.calendar.createEvent.fails('account_not_authorized');
  const error = await failureOf(events().createEvent(review));
  expect(error).toMatchObject(user);
  if (!isServiceError(error, 'account_not_authorized')) throw error;
  expect((await error.getLink()).link).toMatch(/^http:\/\/svc\.test\/connect\//);
  expect(await service.client.getAuthorizationLink(user)).toMatchObject({ expiresAt: expect.any(String) });
});

test('failures have the fields of service errors', async () => {
  const errors = [{ field: 'summary', rule: 'maxLength', message: 'too long' }];
  service.fake.calendar.createEvent.fails('invalid_input', { errors });
  // @ts-expect-error It is a wrong input, which is what the test is about.
  expect(await failureOf(events().createEvent({ summary: 4 }))).toMatchObject({ errors });
  service.fake.calendar.createEvent.fails('upstream_failed', { status: 404, body: { error: 'deleted' } });
  expect(await failureOf(events().createEvent(review))).toMatchObject({
    status: 404,
    body: { error: 'deleted' },
  });
  service.fake.calendar.createEvent.fails('approval_required');
  expect(await failureOf(events().createEvent(review))).toMatchObject({
    link: expect.stringMatching(/^http/),
  });
});

test('refuses an unknown failure code when the test sets it', () => {
  const code: string = 'rate_limit';
  expect(() => service.fake.calendar.createEvent.fails(code as 'rate_limited')).toThrow(
    'fake.calendar.createEvent cannot fail with "rate_limit", because the service has no such code. Use a code of FailureCode.',
  );
});

test('refuses an invalid reply when the test sets it', () => {
  const { createEvent } = service.fake.calendar;
  // @ts-expect-error The id is missing.
  expect(() => createEvent.replies({ summary: 'Review' })).toThrow(
    'The planned reply of fake.calendar.createEvent does not match its output schema. Correct the reply: "id" is required: give a string.',
  );
});

const mistakes: readonly {
  readonly title: string;
  readonly call: (service: FakeService) => Promise<unknown>;
  readonly code: string;
  readonly sentence: string;
}[] = [
  {
    title: 'an invalid input',
    // @ts-expect-error The start is missing.
    call: ({ client }) => calendar(client, user).createEvent({ summary: 'Review' }),
    code: 'invalid_input',
    sentence:
      'The call of fake.calendar.createEvent has an invalid input. Correct it: "start_datetime" is required: give a date and time such as 2026-12-01T09:00:00 or 2026-12-01T09:00:00Z.',
  },
  {
    title: 'a call without an account',
    call: ({ client }) =>
      client.executeTool({
        connectionName: 'calendar',
        identifier: '',
        toolName: 'calendar_create_event',
        toolInput: review,
      }),
    code: 'invalid_request',
    sentence: 'The call of fake.calendar.createEvent names no account',
  },
  {
    title: 'a call with an account id and a label',
    call: ({ client }) =>
      client.call({
        method: 'POST',
        path: '/v1/tools/calendar_create_event/execute',
        body: { connectedAccountId: 'acct_1', account: 'work', toolInput: review },
      }),
    code: 'invalid_request',
    sentence: 'The call of fake.calendar.createEvent names no account, or two.',
  },
  {
    title: 'an unknown version',
    call: ({ client }) =>
      client.executeTool({
        ...user,
        toolName: 'calendar_create_event',
        toolInput: review,
        schemaVersion: '9.0.0',
      }),
    code: 'unknown_version',
    sentence: 'The call of fake.calendar.createEvent has an unknown version. Correct it: ',
  },
  {
    title: 'an invalid reply of a function',
    call: ({ client, fake }) => {
      // @ts-expect-error Ids are texts.
      fake.calendar.createEvent.replies(() => ({ id: 4 }));
      return calendar(client, user).createEvent(review);
    },
    code: 'internal_error',
    sentence:
      'The planned reply of fake.calendar.createEvent does not match its output schema. Correct the reply: "id" must be a string, but a number was given.',
  },
  {
    title: 'a function that throws',
    call: ({ client, fake }) => {
      fake.calendar.createEvent.replies(() => {
        throw new Error('No such event.');
      });
      return calendar(client, user).createEvent(review);
    },
    code: 'internal_error',
    sentence:
      'The function passed to fake.calendar.createEvent.replies() threw. Correct it: Error: No such event.',
  },
  {
    title: 'a reply function whose data is not serializable',
    call: ({ client, fake }) => {
      fake.calendar.createEvent.replies(() => ({ id: '1', sequence: 1n as unknown as number }));
      return calendar(client, user).createEvent(review);
    },
    code: 'internal_error',
    sentence:
      'The function passed to fake.calendar.createEvent.replies() threw. Correct it: TypeError: Do not know',
  },
  {
    title: 'an unknown tool',
    call: ({ client }) => client.executeTool({ ...user, toolName: NO_TOOL, toolInput: {} }),
    code: 'tool_not_found',
    sentence: 'The tool "calendar_nothing" is not in the catalogue',
  },
  {
    title: 'a dry run',
    call: ({ client }) => calendar(client, user).createEvent(review, { dryRun: true }),
    code: 'invalid_request',
    sentence: 'fake.calendar.createEvent does not support dry runs',
  },
  {
    title: 'any other request to the service',
    call: ({ client }) => client.request({ ...user, method: 'GET', path: '/calendar/v3/colors' }),
    code: 'not_found',
    sentence:
      'The fake service does not support GET /v1/proxy/calendar/user_42/calendar/v3/colors. Use startService()',
  },
];

test.each(mistakes)('$title fails and makes stop() fail', async ({ call, code, sentence }) => {
  const error = await failureOf(call(service));
  expect(error).toMatchObject({ code, message: expect.stringContaining(sentence) });
  expect(() => service.stop()).toThrow(sentence);
});

test('the URL includes its path and allows one running fake at a time', async () => {
  const environmentUrl = 'https://connect.example.com/svc';
  {
    using other = fakeService({ environmentUrl });
    expect(() => fakeService({ environmentUrl })).toThrow(
      'A fake of https://connect.example.com is running already',
    );
    const client = createClient({ environmentUrl, clientId: 'own', clientSecret: 'own' });
    await calendar(client, user).deleteEvent({ event_id: '1' });
    expect(other.fake.calendar.deleteEvent.calls).toHaveLength(1);
    expect(other.env).toMatchObject({ SVC_ENVIRONMENT_URL: environmentUrl });
  }
  const ended = fakeService({ environmentUrl });
  ended.stop();
  using _next = fakeService({ environmentUrl });
  ended.stop();
  expect(() => fakeService({ environmentUrl })).toThrow('is running');
});

test('the URL defaults to SVC_ENVIRONMENT_URL', () => {
  vi.stubEnv('SVC_ENVIRONMENT_URL', 'http://environment.test');
  const byEnvironment = fakeService();
  vi.unstubAllEnvs();
  byEnvironment.stop();
  expect(byEnvironment.environmentUrl).toBe('http://environment.test');
});

// Runs only in full runs, because loading a folder of private connectors takes half a second.
test.runIf(isFull)('private connectors have fakes', async () => {
  const folder = fileURLToPath(new URL('../../server/test/support/newcomer', import.meta.url));
  using other = fakeService({ environmentUrl: 'http://private.test', catalog: [folder] });
  const toolName: string = 'issues_list';
  const toolInput = { owner: 'ada', repo: 'engine' };
  const { data } = await other.client.executeTool({ ...user, toolName, toolInput });
  expect(data).toMatchObject({ issues: [{ number: 7 }], nextPage: null });
});

/** The function never runs. The compiler checks which calls compile. */
export function typesAreExact({ fake }: FakeService): void {
  const { createEvent, listEvents } = fake.calendar;
  createEvent
    .replies({ id: '1' })
    .fails('rate_limited', { retryAfter: 1 })
    .replies(async () => ({ id: '2' }));
  createEvent.fails('upstream_failed', { status: 404, message: 'Deleted.' });
  const summary: string | undefined = createEvent.calls[0]?.input.summary;
  const label: string | undefined = createEvent.calls[0]?.account;
  createEvent.replies((_, { account, identifier }) => ({ id: account ?? identifier ?? label ?? '1' }));
  // @ts-expect-error an event has no such field
  createEvent.replies({ id: '1', sumary: summary });
  // @ts-expect-error the reply is of another tool
  listEvents.replies({ id: '1' });
  // @ts-expect-error a function replies like that too
  createEvent.replies(() => ({ summary: 'Review' }));
  // @ts-expect-error the input has no such field
  createEvent.replies(({ title }) => ({ id: title }));
  // @ts-expect-error there is no such code
  createEvent.fails('rate_limit');
  // @ts-expect-error the status of the upstream is missing
  createEvent.fails('upstream_failed');
  // @ts-expect-error this failure has no body
  createEvent.fails('rate_limited', { body: {} });
  // @ts-expect-error there is no such tool
  fake.calendar.createEvents.replies({ id: '1' });
  // @ts-expect-error the package of this connector is not imported
  fake.video.videosList.replies({});
}
