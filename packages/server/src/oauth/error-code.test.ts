import { expect, test } from 'vitest';
import { challengeOf } from './challenge.js';
import { errorCode } from './error-code.js';

test.each([
  'invalid_grant',
  'unsupported_token_type',
  'invalid_client_metadata',
  'invalid_target',
  'login_required',
])('the error code %s is known', (code) => {
  expect(errorCode(code)).toBe(code);
});

test.each(['', 'Invalid_grant', 'invalid_grant ', 'invalid_grant\u001b[2J', 'constructor', 'ya29.canary'])(
  'K6: %j is reported as "other" and not stored',
  (code) => {
    expect(errorCode(code)).toBe('other');
  },
);

test('K6: only known error codes of a challenge are stored', async () => {
  const challenge = (error: string) =>
    challengeOf(
      new Response(null, { status: 401, headers: { 'www-authenticate': `Bearer error="${error}"` } }),
    );
  expect((await challenge('insufficient_scope')).error).toBe('insufficient_scope');
  expect((await challenge('canary')).error).toBe('other');
});
