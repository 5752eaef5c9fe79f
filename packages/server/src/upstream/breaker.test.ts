import { expect, test } from 'vitest';
import { ServiceError } from '../errors.js';
import { createBreaker, type Verdict, verdictOf, verdictOfError } from './breaker.js';

const KEY = 'mail app_1 conn_1 https://api.upstream.example';
const ADA = 'acct_ada';
const BOB = 'acct_bob';
const open = (retryAfter: number) =>
  expect.objectContaining({ code: 'unavailable', details: { retryAfter, reason: 'circuit_breaker' } });

function setUp() {
  let time = 0;
  const breaker = createBreaker({ now: () => time });
  const call = (verdict: Verdict, account = ADA) => breaker.enter(KEY, account)(verdict);
  const calls = (count: number, verdict: Verdict, account = ADA) => {
    const begun = Array.from({ length: count }, () => breaker.enter(KEY, account));
    for (const report of begun) report(verdict);
  };
  const advance = (ms: number) => {
    time += ms;
  };
  return { breaker, call, calls, advance };
}

test.each([
  { title: 'half of 20', responded: 10, failed: 10, isOpen: true },
  { title: 'less than half of 20', responded: 11, failed: 9, isOpen: false },
  { title: 'all of 19', responded: 0, failed: 19, isOpen: false },
  { title: 'all of 20', responded: 0, failed: 20, isOpen: true },
])(
  'F4: the circuit breaker with $title failures in 10 s is open: $isOpen',
  ({ responded, failed, isOpen }) => {
    const { breaker, calls } = setUp();
    calls(responded, 'responded');
    calls(failed, 'failed');
    if (isOpen) expect(() => breaker.check(KEY, ADA)).toThrow(open(5));
    else expect(() => breaker.check(KEY, ADA)).not.toThrow();
  },
);

test('F4: failures older than 10 s are ignored', () => {
  const { breaker, calls, advance } = setUp();
  calls(19, 'failed');
  advance(10_000);
  calls(1, 'failed');
  expect(() => breaker.check(KEY, ADA)).not.toThrow();
});

test('F4: outcomes that are independent of the upstream are not counted', () => {
  const { breaker, calls } = setUp();
  calls(10, 'failed');
  calls(100, 'nothing');
  calls(9, 'responded');
  expect(() => breaker.check(KEY, ADA)).not.toThrow();
  calls(1, 'failed');
  expect(() => breaker.check(KEY, ADA)).toThrow(open(5));
});

test('F4: the breaker allows one trial call after 5 s, whose response closes it', () => {
  const { breaker, calls, advance } = setUp();
  calls(20, 'failed');
  advance(4999);
  expect(() => breaker.enter(KEY, ADA)).toThrow(open(1));
  advance(1);
  const report = breaker.enter(KEY, ADA);
  expect(() => breaker.enter(KEY, ADA)).toThrow(open(5));
  report('responded');
  calls(19, 'failed');
  expect(() => breaker.check(KEY, ADA)).not.toThrow();
});

test('F4: a failed trial call opens the circuit breaker for another 5 s', () => {
  const { breaker, call, calls, advance } = setUp();
  calls(20, 'failed');
  advance(5000);
  const report = breaker.enter(KEY, ADA);
  advance(4000);
  report('failed');
  expect(() => breaker.check(KEY, ADA)).toThrow(open(5));
  advance(5000);
  call('responded');
  expect(() => breaker.check(KEY, ADA)).not.toThrow();
});

test('F4: an aborted or endless trial call allows the next trial call', () => {
  const { breaker, call, calls, advance } = setUp();
  calls(20, 'failed');
  advance(5000);
  call('nothing');
  breaker.enter(KEY, ADA);
  expect(() => breaker.check(KEY, ADA)).toThrow(open(5));
  advance(5000);
  expect(() => breaker.enter(KEY, ADA)).not.toThrow();
});

test('F4: calls from before do not change an open circuit breaker', () => {
  const { breaker, calls } = setUp();
  const early = [breaker.enter(KEY, ADA), breaker.enter(KEY, ADA)];
  calls(20, 'failed');
  early[0]?.('responded');
  early[1]?.('failed');
  expect(() => breaker.check(KEY, ADA)).toThrow(open(5));
});

test('F4: only the failing account is paused while others succeed', () => {
  const { breaker, call, calls } = setUp();
  call('responded', BOB);
  calls(30, 'failed');
  expect(() => breaker.check(KEY, ADA)).toThrow(open(5));
  calls(30, 'responded', BOB);
});

test.each([
  { title: 'two accounts fail and none succeeds', responded: [], isEverybody: true },
  { title: 'two accounts fail and two succeed', responded: ['acct_1', 'acct_2'], isEverybody: true },
  {
    title: 'two accounts fail and three succeed',
    responded: ['acct_1', 'acct_2', 'acct_3'],
    isEverybody: false,
  },
])('F4: $title: the circuit breaker is open for all accounts: $isEverybody', ({ responded, isEverybody }) => {
  const { breaker, call, calls } = setUp();
  call('failed', BOB);
  for (const account of responded) call('responded', account);
  calls(20, 'failed');
  expect(() => breaker.check(KEY, BOB)).toThrow(open(5));
  if (isEverybody) expect(() => breaker.check(KEY, 'acct_other')).toThrow(open(5));
  else expect(() => breaker.check(KEY, 'acct_other')).not.toThrow();
});

test('F4: the circuit breaker opens for all accounts when the next account fails too', () => {
  const { breaker, call, calls } = setUp();
  calls(20, 'failed');
  call('failed', BOB);
  expect(() => breaker.check(KEY, 'acct_other')).toThrow(open(5));
});

test('F4: the circuit breaker opens for all accounts when half of the calls of many accounts fail', () => {
  const { breaker, call, calls } = setUp();
  for (let index = 0; index < 40; index += 1) call('responded', `acct_${index}`);
  for (let index = 0; index < 17; index += 1) call('failed', `acct_${index}`);
  calls(40, 'failed');
  expect(() => breaker.check(KEY, BOB)).toThrow(open(5));
});

test('F4: another account can make the next trial call after a failed one', () => {
  const { breaker, call, calls, advance } = setUp();
  calls(20, 'failed');
  call('failed', BOB);
  advance(5000);
  call('failed', ADA);
  expect(() => breaker.check(KEY, BOB)).toThrow(open(5));
  advance(5000);
  expect(() => breaker.check(KEY, ADA)).toThrow(open(5));
  call('responded', BOB);
  expect(() => breaker.check(KEY, ADA)).not.toThrow();
});

test.each([
  ...[200, 301, 400, 401, 404, 429, 500, 501].map((status) => ({ status, verdict: 'responded' })),
  ...[502, 503, 504].map((status) => ({ status, verdict: 'failed' })),
])('F4: a response of $status is "$verdict"', ({ status, verdict }) => {
  expect(verdictOf(status)).toBe(verdict);
});

const failed = (reason: string) => new ServiceError('connection_failed', 'It failed.', { reason });

test.each([
  ...['refused', 'closed', 'unknown_host', 'tls', 'invalid_response'].map((reason) => ({
    title: reason,
    error: failed(reason),
    verdict: 'failed',
  })),
  { title: 'a timeout', error: new ServiceError('upstream_timeout', 'Late.'), verdict: 'failed' },
  ...['aborted', 'not_sent', 'blocked_address', 'unlisted_origin'].map((reason) => ({
    title: reason,
    error: failed(reason),
    verdict: 'nothing',
  })),
  {
    title: 'a body error of the caller',
    error: new ServiceError('payload_too_large', 'It is too large.'),
    verdict: 'nothing',
  },
  { title: 'an internal error', error: new TypeError('fault'), verdict: 'nothing' },
])('F4: $title is "$verdict"', ({ error, verdict }) => {
  expect(verdictOfError(error)).toBe(verdict);
});

test('F4: a paused circuit is listed with its first pause, its last failure and its next trial call', () => {
  const { breaker, call, calls, advance } = setUp();
  const listed = {
    connector: 'mail',
    applicationId: 'app_1',
    connectionId: 'conn_1',
    since: 0,
    isOfSome: true,
  };
  expect(breaker.paused()).toEqual([]);
  calls(20, 'failed');
  expect(breaker.paused()).toEqual([{ ...listed, state: 'open_for_accounts', failedAt: 0, nextTryAt: 5000 }]);
  advance(5000);
  expect(breaker.paused()).toMatchObject([{ state: 'half_open' }]);
  call('failed');
  expect(breaker.paused()).toMatchObject([{ ...listed, failedAt: 5000, nextTryAt: 10_000 }]);
  advance(5000);
  call('responded');
  expect(breaker.paused()).toEqual([]);
});
