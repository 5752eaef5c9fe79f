import { expect, test } from 'vitest';
import { ServiceError } from '../errors.js';
import { createBreaker, type Verdict, verdictOf, verdictOfError } from './breaker.js';

const KEY = 'conn_1 https://api.upstream.example';
const ADA = 'acct_ada';
const BOB = 'acct_bob';
const open = (retryAfter: number) =>
  expect.objectContaining({ code: 'unavailable', details: { retryAfter } });

function setUp() {
  let time = 0;
  const breaker = createBreaker({ now: () => time });
  const call = (verdict: Verdict, account = ADA) => breaker.enter(KEY, account)(verdict);
  const calls = (count: number, verdict: Verdict, account = ADA) => {
    const begun = Array.from({ length: count }, () => breaker.enter(KEY, account));
    for (const tell of begun) tell(verdict);
  };
  const advance = (ms: number) => {
    time += ms;
  };
  return { breaker, call, calls, advance };
}

test.each([
  { title: 'half of 20', answered: 10, failed: 10, isOpen: true },
  { title: 'less than half of 20', answered: 11, failed: 9, isOpen: false },
  { title: 'all of 19', answered: 0, failed: 19, isOpen: false },
  { title: 'all of 20', answered: 0, failed: 20, isOpen: true },
])('F4: $title failures in 10 s: open is $isOpen', ({ answered, failed, isOpen }) => {
  const { breaker, calls } = setUp();
  calls(answered, 'answered');
  calls(failed, 'failed');
  if (isOpen) expect(() => breaker.check(KEY, ADA)).toThrow(open(5));
  else expect(() => breaker.check(KEY, ADA)).not.toThrow();
});

test('F4: failures are forgotten after 10 s', () => {
  const { breaker, calls, advance } = setUp();
  calls(19, 'failed');
  advance(10_000);
  calls(1, 'failed');
  expect(() => breaker.check(KEY, ADA)).not.toThrow();
});

test('F4: what tells nothing of the upstream counts neither way', () => {
  const { breaker, calls } = setUp();
  calls(10, 'failed');
  calls(100, 'nothing');
  calls(9, 'answered');
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
  const tell = breaker.enter(KEY, ADA);
  expect(() => breaker.enter(KEY, ADA)).toThrow(open(5));
  tell('answered');
  calls(19, 'failed');
  expect(() => breaker.check(KEY, ADA)).not.toThrow();
});

test('F4: a try that fails is followed by another 5 s', () => {
  const { breaker, call, calls, advance } = setUp();
  calls(20, 'failed');
  advance(5000);
  const tell = breaker.enter(KEY, ADA);
  advance(4000);
  tell('failed');
  expect(() => breaker.check(KEY, ADA)).toThrow(open(5));
  advance(5000);
  call('answered');
  expect(() => breaker.check(KEY, ADA)).not.toThrow();
});

test('F4: a try whose caller went away leaves the next one to try, and one that never ends does so after 5 s', () => {
  const { breaker, call, calls, advance } = setUp();
  calls(20, 'failed');
  advance(5000);
  call('nothing');
  breaker.enter(KEY, ADA);
  expect(() => breaker.check(KEY, ADA)).toThrow(open(5));
  advance(5000);
  expect(() => breaker.enter(KEY, ADA)).not.toThrow();
});

test('F4: calls that began before change nothing of a pause', () => {
  const { breaker, calls } = setUp();
  const early = [breaker.enter(KEY, ADA), breaker.enter(KEY, ADA)];
  calls(20, 'failed');
  early[0]?.('answered');
  early[1]?.('failed');
  expect(() => breaker.check(KEY, ADA)).toThrow(open(5));
});

test('F4: only the failing account is paused while others succeed', () => {
  const { breaker, call, calls } = setUp();
  call('answered', BOB);
  calls(30, 'failed');
  expect(() => breaker.check(KEY, ADA)).toThrow(open(5));
  calls(30, 'answered', BOB);
});

test.each([
  { title: 'two fail and nobody is answered', answered: [], isEverybody: true },
  { title: 'two fail and two are answered', answered: ['acct_1', 'acct_2'], isEverybody: true },
  { title: 'two fail and three are answered', answered: ['acct_1', 'acct_2', 'acct_3'], isEverybody: false },
])('F4: where $title, everybody holds still: $isEverybody', ({ answered, isEverybody }) => {
  const { breaker, call, calls } = setUp();
  call('failed', BOB);
  for (const account of answered) call('answered', account);
  calls(20, 'failed');
  expect(() => breaker.check(KEY, BOB)).toThrow(open(5));
  if (isEverybody) expect(() => breaker.check(KEY, 'acct_other')).toThrow(open(5));
  else expect(() => breaker.check(KEY, 'acct_other')).not.toThrow();
});

test('F4: an upstream that fails the next account too is left alone by everybody', () => {
  const { breaker, call, calls } = setUp();
  calls(20, 'failed');
  call('failed', BOB);
  expect(() => breaker.check(KEY, 'acct_other')).toThrow(open(5));
});

test('F4: where more accounts call than are remembered, everybody holds still when half of the calls fail', () => {
  const { breaker, call, calls } = setUp();
  for (let index = 0; index < 40; index += 1) call('answered', `acct_${index}`);
  for (let index = 0; index < 17; index += 1) call('failed', `acct_${index}`);
  calls(40, 'failed');
  expect(() => breaker.check(KEY, BOB)).toThrow(open(5));
});

test('F4: after a failed trial call another account may try first', () => {
  const { breaker, call, calls, advance } = setUp();
  calls(20, 'failed');
  call('failed', BOB);
  advance(5000);
  call('failed', ADA);
  expect(() => breaker.check(KEY, BOB)).toThrow(open(5));
  advance(5000);
  expect(() => breaker.check(KEY, ADA)).toThrow(open(5));
  call('answered', BOB);
  expect(() => breaker.check(KEY, ADA)).not.toThrow();
});

test.each([
  ...[200, 301, 400, 401, 404, 429, 500, 501].map((status) => ({ status, verdict: 'answered' })),
  ...[502, 503, 504].map((status) => ({ status, verdict: 'failed' })),
])('F4: an answer of $status is "$verdict"', ({ status, verdict }) => {
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
    title: "a caller's body",
    error: new ServiceError('payload_too_large', 'It is too large.'),
    verdict: 'nothing',
  },
  { title: 'a fault of ours', error: new TypeError('fault'), verdict: 'nothing' },
])('F4: $title is "$verdict"', ({ error, verdict }) => {
  expect(verdictOfError(error)).toBe(verdict);
});
