import { describe, expect, test, vi } from 'vitest';
import { rounds } from '../../test/support/runner/rounds.js';
import { createApproving, SEND } from '../../test/support/service/create-approvals.js';
import { ServiceError } from '../errors.js';
import { canonicalJson } from '../text/canonical-json.js';

const MINUTE_MS = 60_000;

const pending = { code: 'approval_required' };

test('H1: a call waits for its approval, runs once, and returns its result to every repetition', async () => {
  const { call, request, decide, ran, callApprovals, applicationId } = await createApproving();
  const id = await request();
  expect(await request()).toBe(id);
  expect(ran).toEqual([]);
  expect(await callApprovals.get(applicationId, id)).toEqual({
    id,
    status: 'pending',
    sentence: 'Send a message (Mail): to “bob”.',
    toolName: 'mail_send',
    toolInput: { to: 'bob' },
    accountId: expect.stringMatching(/^acct_/),
    connectionName: 'mail',
    identifier: 'ada',
    requestedBy: applicationId,
    createdAt: '2026-11-20T09:00:00.000Z',
    expiresAt: '2026-11-20T09:15:00.000Z',
  });

  await decide(id, 'approve');
  const first = await call();
  expect(await call()).toEqual(first);
  expect(ran).toEqual([{ to: 'bob' }]);
  expect(await callApprovals.get(applicationId, id)).toMatchObject({
    status: 'executed',
    decidedBy: applicationId,
    executionId: first.executionId,
  });
});

test('H1: a denied call runs nothing, and its caller gets the reason', async () => {
  const { call, request, decide, ran, clock } = await createApproving();
  const id = await request();
  await decide(id, 'deny', 'Bob has left.');
  const refused = {
    code: 'approval_denied',
    message: expect.stringContaining('Bob has left.'),
    details: { id, status: 'denied', reason: 'Bob has left.', holdsUntil: '2026-11-20T09:30:00.000Z' },
  };
  await expect(call()).rejects.toMatchObject(refused);
  clock.advance(29 * MINUTE_MS);
  await expect(call()).rejects.toMatchObject(refused);
  clock.advance(2 * MINUTE_MS);
  expect(await request()).not.toBe(id);
  expect(ran).toEqual([]);
});

describe('H1: an expired approval', () => {
  test('runs nothing when no decision was made', async () => {
    const { call, request, decide, clock, ran } = await createApproving();
    const id = await request();
    clock.advance(15 * MINUTE_MS);
    await expect(decide(id, 'approve')).rejects.toMatchObject({ code: 'conflict' });
    await expect(call()).rejects.toMatchObject({
      code: 'approval_denied',
      details: { id, status: 'expired' },
    });
    clock.advance(31 * MINUTE_MS);
    expect(await request()).not.toBe(id);
    expect(ran).toEqual([]);
  });

  test('runs nothing when the call is repeated too late', async () => {
    const { call, request, decide, clock, ran } = await createApproving();
    const id = await request();
    await decide(id, 'approve');
    clock.advance(30 * MINUTE_MS);
    await expect(call()).rejects.toMatchObject({
      code: 'approval_denied',
      message: expect.stringContaining('approved, but not repeated within 30 minutes'),
      details: { id, status: 'expired' },
    });
    expect(ran).toEqual([]);
  });

  test('writes one audit event, even without another call', async () => {
    const { request, expireOverdue, start, clock, database } = await createApproving();
    for (let user = 0; user < 3; user += 1) await request({ identifier: `user_${user}` });
    clock.advance(15 * MINUTE_MS);
    await Promise.all([expireOverdue(), start().expireOverdue()]);
    const events = await database
      .selectFrom('auditEvents')
      .select('action')
      .where('action', 'like', 'approval.%')
      .orderBy('action')
      .execute();
    expect(events.map(({ action }) => action)).toEqual([
      ...Array(3).fill('approval.expired'),
      ...Array(3).fill('approval.requested'),
    ]);
  });
});

interface Other {
  readonly title: string;
  readonly call: Parameters<Awaited<ReturnType<typeof createApproving>>['call']>[0];
}

const others: readonly Other[] = [
  { title: 'other arguments', call: { input: { to: 'eve' } } },
  { title: 'further arguments', call: { input: { to: 'bob', copy: 'eve' } } },
  { title: 'an argument of another type', call: { input: { to: ['bob'] } } },
  { title: 'another account', call: { identifier: 'eve' } },
  { title: 'another tool', call: { tool: { ...SEND, name: 'mail_delete' } } },
];

test.each(others)('H2: an approval does not cover $title', async ({ call: other }) => {
  const { call, request, decide, ran } = await createApproving();
  await decide(await request(), 'approve');
  await expect(call(other)).rejects.toMatchObject(pending);
  expect(ran).toEqual([]);
});

test('H2: an approval for one caller does not cover another caller, nor share the result', async () => {
  const { call, request, as, decide, ran } = await createApproving();
  const id = await as('token:tok_1', () => request());
  await decide(id, 'approve');
  await expect(as('token:tok_2', () => call())).rejects.toMatchObject(pending);
  await as('token:tok_1', () => call());
  await expect(as('token:tok_2', () => call())).rejects.toMatchObject(pending);
  expect(ran).toHaveLength(1);
});

test('H2: the order of arguments does not matter to an approval', async () => {
  const { call, request, decide, ran } = await createApproving();
  await decide(await request({ input: { a: { c: 1, d: [2, { f: 3, e: 4 }] }, b: 5 } }), 'approve');
  await call({ input: { b: 5, a: { d: [2, { e: 4, f: 3 }], c: 1 } } });
  expect(ran).toHaveLength(1);
  expect(canonicalJson({ b: 1, a: [{ d: 2, c: 3 }] })).toBe('{"a":[{"c":3,"d":2}],"b":1}');
});

test('H1: one decision counts and one call runs for simultaneous requests in several processes', async () => {
  const { start, call, request, applicationId, ran } = await createApproving();
  const processes = [start(), start(), start()];
  const id = await request();
  const run = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return 'sent';
  };
  const outcomes = await Promise.allSettled(
    Array.from({ length: rounds(1000, 60) }, (_, at) => {
      const approvals = processes[at % 3] ?? start();
      return at % 2 === 0
        ? approvals.callApprovals.decide(applicationId, id, { decision: at % 4 === 0 ? 'approve' : 'deny' })
        : call({ approvals, run });
    }),
  );
  const decided = outcomes.filter((_, at) => at % 2 === 0).map(({ status }, at) => ({ status, at }));
  const kinds = new Set(decided.filter(({ status }) => status === 'fulfilled').map(({ at }) => at % 2));
  expect(kinds.size).toBe(1);
  expect(ran.length).toBeLessThanOrEqual(1);
});

test('H1: one of many simultaneous calls in several processes runs after an approval', async () => {
  const { start, call, request, decide, ran } = await createApproving();
  const processes = [start(), start(), start()];
  await decide(await request(), 'approve');
  const all = await Promise.allSettled(
    Array.from({ length: rounds(1000, 60) }, (_, at) => call({ approvals: processes[at % 3] ?? start() })),
  );
  expect(ran).toHaveLength(1);
  const { executionId } = await call();
  for (const outcome of all) {
    if (outcome.status === 'fulfilled') expect(outcome.value.executionId).toBe(executionId);
    else expect(outcome.reason).toMatchObject({ code: 'conflict', details: { retryAfter: 1 } });
  }
});

test('H1: simultaneous equal calls request one approval, within the limits', async () => {
  const { start, call, database } = await createApproving();
  const processes = [start(), start()];
  const outcomes = await Promise.allSettled(
    Array.from({ length: 40 }, (_, at) =>
      call({ approvals: processes[at % 2] ?? start(), input: { to: `user_${Math.floor(at / 4) % 5}` } }),
    ),
  );
  expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
  const rows = await database.selectFrom('callApprovals').select('id').execute();
  expect(rows).toHaveLength(5);
});

test('H1: a result that arrives during a database outage is returned, and stored afterwards', async () => {
  const { start, call, request, decide, storage, callApprovals, applicationId, ran } =
    await createApproving();
  const id = await request();
  await decide(id, 'approve');
  const away = vi.spyOn(storage, 'transaction');
  away.mockRejectedValueOnce(new ServiceError('unavailable', 'The database cannot be read or written.'));
  const first = await call();
  expect(away).toHaveBeenCalledTimes(2);
  expect(await call({ approvals: start() })).toEqual(first);
  expect(ran).toHaveLength(1);
  expect(await callApprovals.get(applicationId, id)).toMatchObject({ status: 'executed' });
});

describe('H1: an approved call that fails', () => {
  test('is not repeated when the upstream received it', async () => {
    const { call, request, decide, ran } = await createApproving();
    await decide(await request(), 'approve');
    const failing = async () => {
      throw new ServiceError('upstream_failed', 'It said no.', {
        status: 500,
      });
    };
    const failed = { code: 'upstream_failed', message: 'It said no.', details: { status: 500 } };
    await expect(call({ run: failing })).rejects.toMatchObject(failed);
    await expect(call()).rejects.toMatchObject(failed);
    expect(ran).toHaveLength(1);
  });

  test('can be retried within the approval when nothing was sent', async () => {
    const { call, request, decide, clock, ran } = await createApproving();
    await decide(await request(), 'approve');
    const busy = async ({ execution }: { execution: { trace: { attempts: number } } }) => {
      execution.trace.attempts = 0;
      throw new ServiceError('unavailable', 'Too much is waiting.');
    };
    await expect(call({ run: busy })).rejects.toMatchObject({ code: 'unavailable' });
    clock.advance(29 * MINUTE_MS);
    await expect(call({ run: busy })).rejects.toMatchObject({ code: 'unavailable' });
    await call();
    expect(ran).toHaveLength(3);
  });

  test('can be retried although the database was unavailable when the call failed', async () => {
    const { call, request, decide, storage, ran } = await createApproving();
    await decide(await request(), 'approve');
    const away = new ServiceError('unavailable', 'The database cannot be read or written.');
    const busy = async ({ execution }: { execution: { trace: { attempts: number } } }) => {
      execution.trace.attempts = 0;
      vi.spyOn(storage.callApprovals, 'change').mockRejectedValueOnce(away);
      throw new ServiceError('rate_limited', 'Too much is waiting.');
    };
    await expect(call({ run: busy })).rejects.toMatchObject({ code: 'rate_limited' });
    await call();
    expect(ran).toHaveLength(2);
  });

  test.each([
    { title: 'a single request, which can be retried', isHandled: false, runs: 2 },
    { title: 'several requests, which cannot be retried', isHandled: true, runs: 1 },
  ])('follows the upstream refusal of the credential for $title', async ({ isHandled, runs }) => {
    const { call, request, decide, ran } = await createApproving();
    await decide(await request({ isHandled }), 'approve');
    const refused = async () => {
      throw new ServiceError('account_not_authorized', 'The account must be approved again.');
    };
    const failed = { code: 'account_not_authorized' };
    await expect(call({ isHandled, run: refused })).rejects.toMatchObject(failed);
    await expect(call({ isHandled, run: refused })).rejects.toMatchObject(failed);
    expect(ran).toHaveLength(runs);
  });

  test('is not repeated after its process was killed, and reports an unknown outcome', async () => {
    const { start, call, request, decide, clock, ran, callApprovals, applicationId } =
      await createApproving();
    const id = await request();
    await decide(id, 'approve');
    const lost = call({ run: () => new Promise(() => undefined) });
    await expect.poll(() => ran.length).toBe(1);
    await expect(call({ approvals: start() })).rejects.toMatchObject({
      code: 'conflict',
      details: { retryAfter: 1 },
    });
    clock.advance(61_000);
    await expect(call({ approvals: start() })).rejects.toMatchObject({
      code: 'conflict',
      details: { id, status: 'interrupted' },
    });
    expect(await callApprovals.get(applicationId, id)).toMatchObject({ status: 'interrupted' });
    expect(ran).toHaveLength(1);
    void lost;
  });
});

test('H1: a pending approval and its decision survive the process', async () => {
  const { start, call, request, applicationId, ran } = await createApproving();
  const id = await request();
  await start().callApprovals.decide(applicationId, id, { decision: 'approve' });
  const { executionId } = await call({ approvals: start() });
  expect(await call({ approvals: start() })).toMatchObject({ executionId, data: 'sent' });
  expect(ran).toHaveLength(1);
});
