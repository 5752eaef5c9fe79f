import { expect, test } from 'vitest';
import { ServiceError } from '../errors.js';
import { createBreaker, type Verdict, verdictOf, verdictOfError } from './breaker.js';

const KEY = 'conn_1 https://api.upstream.example';
const open = (retryAfter: number) =>
  expect.objectContaining({ code: 'unavailable', details: { retryAfter } });

function setUp() {
  let time = 0;
  const breaker = createBreaker({ now: () => time });
  const call = (verdict: Verdict, key = KEY) => breaker.enter(key)(verdict);
  const calls = (count: number, verdict: Verdict, key = KEY) => {
    for (let index = 0; index < count; index += 1) call(verdict, key);
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
  if (isOpen) expect(() => breaker.check(KEY)).toThrow(open(5));
  else expect(() => breaker.check(KEY)).not.toThrow();
});

test('F4: failures are forgotten after 10 s', () => {
  const { breaker, calls, advance } = setUp();
  calls(19, 'failed');
  advance(10_000);
  calls(1, 'failed');
  expect(() => breaker.check(KEY)).not.toThrow();
});

test('F4: what tells nothing of the upstream counts neither way', () => {
  const { breaker, calls } = setUp();
  calls(10, 'failed');
  calls(100, 'nothing');
  calls(9, 'answered');
  expect(() => breaker.check(KEY)).not.toThrow();
  calls(1, 'failed');
  expect(() => breaker.check(KEY)).toThrow(open(5));
});

test('F4: after 5 s one call may try, and its answer lets all of them through', () => {
  const { breaker, calls, advance } = setUp();
  calls(20, 'failed');
  advance(4999);
  expect(() => breaker.enter(KEY)).toThrow(open(1));
  advance(1);
  const tell = breaker.enter(KEY);
  expect(() => breaker.enter(KEY)).toThrow(open(5));
  tell('answered');
  calls(19, 'failed');
  expect(() => breaker.check(KEY)).not.toThrow();
});

test('F4: a try that fails is followed by another 5 s', () => {
  const { breaker, call, calls, advance } = setUp();
  calls(20, 'failed');
  advance(5000);
  const tell = breaker.enter(KEY);
  advance(4000);
  tell('failed');
  expect(() => breaker.check(KEY)).toThrow(open(5));
  advance(5000);
  call('answered');
  expect(() => breaker.check(KEY)).not.toThrow();
});

test('F4: a try whose caller went away leaves the next one to try, and one that never ends does so after 5 s', () => {
  const { breaker, call, calls, advance } = setUp();
  calls(20, 'failed');
  advance(5000);
  call('nothing');
  breaker.enter(KEY);
  expect(() => breaker.check(KEY)).toThrow(open(5));
  advance(5000);
  expect(() => breaker.enter(KEY)).not.toThrow();
});

test('F4: calls that began before change nothing of a pause', () => {
  const { breaker, calls } = setUp();
  const early = [breaker.enter(KEY), breaker.enter(KEY)];
  calls(20, 'failed');
  early[0]?.('answered');
  early[1]?.('failed');
  expect(() => breaker.check(KEY)).toThrow(open(5));
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
