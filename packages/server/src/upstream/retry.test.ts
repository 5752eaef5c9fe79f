import { expect, test } from 'vitest';
import { parseRetryAfter } from '../http/retry-after.js';
import { findErrorRule } from './error-rule.js';
import { createRetryBudget, retryDelay } from './retry.js';

const retry = { attempts: 3, baseMs: 1_000, capMs: 20_000 };

test.each([
  { title: 'the first delay is at most the base', attempt: 1, random: 1, delay: 1_000 },
  { title: 'the second delay is at most twice the base', attempt: 2, random: 1, delay: 2_000 },
  { title: 'the jitter can reduce the delay to zero', attempt: 2, random: 0, delay: 0 },
  { title: 'the last attempt is not retried', attempt: 3, random: 1, delay: undefined },
])('$title', ({ attempt, random, delay }) => {
  expect(retryDelay(attempt, undefined, { retry, random: () => random })).toBe(delay);
});

test.each([
  { title: 'the delay equals Retry-After', retryAfter: 7, delay: 7_000 },
  { title: 'the delay can reach the cap', retryAfter: 20, delay: 20_000 },
  { title: 'a Retry-After that is over already means backoff', retryAfter: 0, delay: 500 },
  { title: 'a Retry-After above the cap prevents the retry', retryAfter: 21, delay: undefined },
])('$title', ({ retryAfter, delay }) => {
  expect(retryDelay(1, retryAfter, { retry, random: () => 0.5 })).toBe(delay);
});

test('a backoff never exceeds the cap', () => {
  const short = { attempts: 3, baseMs: 1_000, capMs: 1_500 };
  expect(retryDelay(2, undefined, { retry: short, random: () => 1 })).toBe(1_500);
});

const NOW = new Date('2026-11-20T12:00:00Z');
test.each([
  { title: 'seconds', value: '7', seconds: 7 },
  { title: 'zero', value: '0', seconds: 0 },
  { title: 'a date', value: 'Fri, 20 Nov 2026 12:00:30 GMT', seconds: 30 },
  { title: 'a date that has passed', value: 'Fri, 20 Nov 2026 11:00:00 GMT', seconds: 0 },
  { title: 'a date of RFC 850', value: 'Friday, 20-Nov-26 12:00:30 GMT', seconds: 30 },
  { title: 'a date of asctime', value: 'Fri Nov 20 12:00:30 2026', seconds: 30 },
  { title: 'a date of asctime with one digit', value: 'Tue Dec  1 12:00:00 2026', seconds: 950_400 },
  { title: 'a list of seconds', value: '1, 2', seconds: undefined },
  { title: 'a decimal comma', value: '1,5', seconds: undefined },
  { title: 'a date without a time', value: '2026-11-21', seconds: undefined },
  { title: 'a date of ISO 8601', value: '2026-11-20T12:00:30Z', seconds: undefined },
  { title: 'a date in another time zone', value: 'Fri, 20 Nov 2026 12:00:30 +0100', seconds: undefined },
  { title: 'a day that does not exist', value: 'Fri, 99 Nov 2026 12:00:30 GMT', seconds: undefined },
  { title: 'a day that its month does not have', value: 'Sun, 31 Feb 2027 12:00:30 GMT', seconds: undefined },
  { title: 'a number with an exponent', value: '1e3', seconds: undefined },
  { title: 'a hexadecimal number', value: '0x10', seconds: undefined },
  { title: 'a number with a unit', value: '30s', seconds: undefined },
  { title: 'the first of several values', value: ['3', '9'], seconds: 3 },
  { title: 'a missing value', value: undefined, seconds: undefined },
  { title: 'an empty value', value: ' ', seconds: undefined },
  { title: 'an invalid value', value: 'soon', seconds: undefined },
  { title: 'fractions of a second', value: '12.5', seconds: 13 },
  { title: 'a negative number', value: '-5', seconds: undefined },
  { title: 'a number of ten digits', value: '4294967295', seconds: 999_999_999 },
  { title: 'an overlong number', value: '9'.repeat(400), seconds: 999_999_999 },
  { title: 'spaces around the number', value: ' 120\t', seconds: 120 },
  { title: 'a date of 1970', value: 'Thu, 01 Jan 1970 00:00:00 GMT', seconds: 0 },
  { title: 'a date of 9999', value: 'Fri, 31 Dec 9999 23:59:59 GMT', seconds: 999_999_999 },
  { title: 'a sign', value: '+5', seconds: undefined },
  { title: 'digits of another script', value: '١٢', seconds: undefined },
])('Retry-After is parsed: $title', ({ value, seconds }) => {
  expect(parseRetryAfter(value, NOW)).toBe(seconds);
});

test('F3: a few calls can be retried three times in ten seconds', () => {
  let time = 0;
  const budget = createRetryBudget(() => new Date(time));
  budget.countCall('a');
  expect([1, 2, 3, 4].map(() => budget.take('a'))).toEqual([true, true, true, false]);
  expect(budget.take('b')).toBe(true);
  time = 10_000;
  expect(budget.take('a')).toBe(true);
});

test('F3: retries add at most a tenth to the load during a full outage', () => {
  const budget = createRetryBudget(() => new Date(0));
  let repeated = 0;
  for (let call = 0; call < 1_000; call += 1) {
    budget.countCall('a');
    for (let attempt = 0; attempt < 2; attempt += 1) if (budget.take('a')) repeated += 1;
  }
  expect(repeated).toBe(100);
});

const rules = [
  { status: 403, body: { error: { errors: [{ reason: 'rateLimitExceeded' }] } }, advice: 'list in list' },
  { status: 403, body: { error: { details: { reason: 'SCOPE' } } }, advice: 'object in list' },
  { status: 400, body: { code: 'validation_error', extra: { type: 'multiple' } }, advice: 'two fields' },
  { status: 400, body: { code: 'validation_error' }, advice: 'one field' },
  { status: 429, advice: 'status alone' },
];

test.each([
  {
    status: 403,
    body: { error: { errors: [{ reason: 'other' }, { reason: 'rateLimitExceeded', domain: 'x' }] } },
    advice: 'list in list',
  },
  { status: 403, body: { error: { details: [{ reason: 'SCOPE' }] } }, advice: 'object in list' },
  { status: 403, body: { error: { errors: [] } }, advice: undefined },
  { status: 403, body: { error: 'rateLimitExceeded' }, advice: undefined },
  {
    status: 400,
    body: { code: 'validation_error', extra: { type: 'multiple', ids: [1] } },
    advice: 'two fields',
  },
  { status: 400, body: { code: 'validation_error' }, advice: 'one field' },
  { status: 400, body: 'validation_error', advice: undefined },
  { status: 429, body: null, advice: 'status alone' },
  { status: 429, body: '<html>', advice: 'status alone' },
  { status: 500, body: {}, advice: undefined },
])('the error $status $body matches the rule "$advice"', ({ status, body, advice }) => {
  expect(findErrorRule(rules, status, body)?.advice).toBe(advice);
});
