import { expect, test } from 'vitest';
import { reasonWords } from './reasons.ts';

test.each([
  { reason: 'queue', errorCode: 'unavailable', words: 'Too many calls were in progress.' },
  { reason: 'account', errorCode: 'rate_limited', words: 'The rate limit of the account was reached.' },
  {
    reason: 'account',
    errorCode: 'not_permitted',
    words: 'The token does not allow an account with this label.',
  },
  { reason: 'tools', errorCode: 'tool_not_found', words: 'The token does not allow this tool.' },
  { reason: 'refused', errorCode: 'connection_failed', words: 'The upstream refused the connection.' },
  { reason: 'constructor', errorCode: 'constructor', words: 'constructor' },
  { reason: 'from_the_future', errorCode: undefined, words: 'from_the_future' },
])('the reason $reason of the error $errorCode is shown as: $words', ({ reason, errorCode, words }) => {
  expect(reasonWords(reason, errorCode)).toBe(words);
});
