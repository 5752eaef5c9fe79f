import { describe, expect, test } from 'vitest';
import { isServiceError, toServiceError } from './errors.js';

describe('isServiceError', () => {
  const limited = toServiceError({ code: 'rate_limited', message: 'Too many.', retryAfter: 3 });
  class OtherCopy extends Error {
    readonly code = 'upstream_failed';
    get [Symbol.for('@svc/core')]() {
      return true;
    }
  }

  test.each([
    { title: 'an error of this package', error: limited, code: undefined, is: true },
    { title: 'an error with the given code', error: limited, code: 'rate_limited', is: true },
    { title: 'an error with another code', error: limited, code: 'timeout', is: false },
    {
      title: 'an error of another copy of the package',
      error: new OtherCopy('x'),
      code: 'upstream_failed',
      is: true,
    },
    { title: 'any other error', error: new Error('x'), code: undefined, is: false },
    { title: 'undefined', error: undefined, code: undefined, is: false },
    { title: 'null', error: null, code: undefined, is: false },
    { title: 'a string', error: 'rate_limited', code: 'rate_limited', is: false },
  ])('returns $is for $title', ({ error, code, is }) => {
    expect(code === undefined ? isServiceError(error) : isServiceError(error, code)).toBe(is);
  });

  test('types the fields of the error by its code', () => {
    const error: unknown = toServiceError({
      code: 'upstream_failed',
      message: 'x',
      details: { body: { a: 1 } },
    });
    expect(isServiceError(error, 'upstream_failed') && error.body).toEqual({ a: 1 });
  });
});

test.each([
  ['invalid_input', 'InvalidInputError'],
  ['account_not_authorized', 'AccountNotAuthorizedError'],
  ['approval_required', 'ApprovalRequiredError'],
  ['upstream_failed', 'UpstreamError'],
  ['rate_limited', 'RateLimitedError'],
  ['connection_failed', 'ConnectionError'],
  ['timeout', 'TimeoutError'],
])('an error with code %s has the name %s', (code, name) => {
  expect(toServiceError({ code, message: 'x', details: { name: 'other' } }).name).toBe(name);
});
