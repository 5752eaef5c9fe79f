import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EXECUTION } from '../../test/support/databases/sample-rows.js';
import type { ExecutionRow } from '../storage/schema.js';
import {
  createCountRefusals,
  isRefusal,
  MAX_KEYS,
  MAX_PER_USER,
  type WrittenExecution,
} from './count-refusals.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const REFUSED: Partial<ExecutionRow> = {
  status: 400,
  errorCode: 'invalid_input',
  attempts: 0,
  upstreamStatus: null,
};

let n = 0;
const refused = (rest: Partial<ExecutionRow> = {}): ExecutionRow => ({
  ...EXECUTION,
  ...REFUSED,
  id: `exec_${++n}`,
  startedAt: 60_000,
  ...rest,
});

function createRecorder() {
  const written: WrittenExecution[] = [];
  const { add, writeCounts } = createCountRefusals({ write: (row) => written.push(row) });
  const counts = () => written.map(({ count, added }) => [count, added]);
  return { add, counts, writeCounts, written };
}

test('the first refusal is written at once, and the number of equal ones after a second', () => {
  const { add, counts, written } = createRecorder();
  for (let call = 0; call < 1000; call += 1) add(refused());
  expect(counts()).toEqual([[1, undefined]]);
  vi.advanceTimersByTime(1000);
  expect(counts()).toEqual([
    [1, undefined],
    [1000, 999],
  ]);
  expect(new Set(written.map(({ id }) => id)).size).toBe(1);
  vi.advanceTimersByTime(10_000);
  expect(written.length).toBe(2);
});

test.each<{ readonly title: string; readonly other: Partial<ExecutionRow> }>([
  { title: 'another application', other: { applicationId: 'app_2' } },
  { title: 'another account', other: { accountId: 'acct_2' } },
  { title: 'another identifier', other: { accountId: null, identifier: 'grace' } },
  { title: 'another error code', other: { errorCode: 'rate_limited' } },
  { title: 'another tool', other: { toolName: 'mail_read' } },
  { title: 'another field', other: { cause: '{"fields":[{"field":"to","rule":"required"}]}' } },
  { title: 'the next minute', other: { startedAt: 120_000 } },
])('a refusal of $title gets its own row', ({ other }) => {
  const { add, written } = createRecorder();
  add(refused());
  add(refused(other));
  expect(written.length).toBe(2);
});

test('different refusals of one user beyond 25 share a row of this user for each error code', () => {
  const { add, written } = createRecorder();
  const ids = Array.from({ length: 1000 }, (_, name) => add(refused({ toolName: `tool_${name}` })));
  add(refused({ toolName: 'tool_x', errorCode: 'rate_limited' }));
  add(refused({ accountId: 'acct_2' }));
  expect(new Set(ids).size).toBe(MAX_PER_USER + 1);
  const rests = written.filter(({ cause }) => cause === '{"isRest":true}');
  const rest = { accountId: EXECUTION.accountId, connectionName: '', toolName: null };
  expect(rests).toMatchObject([
    { ...rest, id: ids.at(-1), errorCode: 'invalid_input' },
    { ...rest, errorCode: 'rate_limited' },
  ]);
  expect(written.at(-1)).toMatchObject({ accountId: 'acct_2', toolName: EXECUTION.toolName });
});

test('refusals beyond 300 different ones of an application share a row without names for each code', () => {
  const { add, written, writeCounts } = createRecorder();
  for (let name = 0; name < 1000; name += 1) add(refused({ accountId: null, identifier: `user_${name}` }));
  add(refused({ accountId: null, identifier: 'user_x', errorCode: 'rate_limited' }));
  add(refused({ applicationId: 'app_2' }));
  writeCounts();
  const own = written.filter(({ applicationId }) => applicationId === EXECUTION.applicationId);
  expect(new Set(own.map(({ id }) => id)).size).toBe(MAX_KEYS + 2);
  expect(own.at(-1)).toMatchObject({
    accountId: null,
    identifier: null,
    connectionName: '',
    toolName: null,
    cause: '{"isRest":true}',
    count: 700,
    added: 699,
  });
  expect(own.at(-2)).toMatchObject({ identifier: null, errorCode: 'rate_limited', count: 1 });
  expect(written.length).toBe(own.length + 1);
});

test('the numbers of a minute are written before the next minute begins', () => {
  const { add, counts } = createRecorder();
  add(refused());
  add(refused());
  add(refused({ startedAt: 120_000 }));
  expect(counts()).toEqual([
    [1, undefined],
    [2, 1],
    [1, undefined],
  ]);
});

test.each<{ readonly title: string; readonly row: Partial<ExecutionRow>; readonly is: boolean }>([
  { title: 'an invalid input', row: {}, is: true },
  { title: 'a call without an account', row: { accountId: null, errorCode: 'unavailable' }, is: true },
  { title: 'a success', row: { errorCode: null, status: 200, attempts: 1 }, is: false },
  { title: 'a call that was sent', row: { attempts: 1 }, is: false },
  { title: 'an open circuit breaker', row: { errorCode: 'unavailable' }, is: false },
  { title: 'a call that waits for an approval', row: { errorCode: 'approval_required' }, is: false },
  { title: 'a fault of the service', row: { errorCode: 'internal_error' }, is: false },
])('$title shares a row with equal calls: $is', ({ row, is }) => {
  expect(isRefusal(refused(row))).toBe(is);
});
