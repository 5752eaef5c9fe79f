import { expect, test } from 'vitest';
import { blockedAddress } from '../../../server/src/http/checked-lookup.ts';
import { toConnectionError } from '../../../server/src/http/connection-error.ts';
import { FAILURES, reasonWords } from './reasons.ts';
import { attemptWords } from './webhooks.ts';

// One system error for each reason of the service.
const CODES = [
  'ENOTFOUND',
  'ECONNREFUSED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'UND_ERR_INVALID_ARG',
  'UND_ERR_HEADERS_OVERFLOW',
  'HPE_INVALID_CONSTANT',
  'ECONNRESET',
];
const CONNECTION_ERRORS = [
  ...CODES.map((code) => toConnectionError(Object.assign(new Error(code), { code }))),
  blockedAddress(),
];

test.each(CONNECTION_ERRORS.map(({ reason = '' }) => reason))(
  'the failed connection %s is described in words, for calls and for deliveries',
  (reason) => {
    expect(FAILURES).toHaveProperty(reason);
    expect(reasonWords(reason, 'connection_failed')).not.toBe(reason);
    expect(attemptWords({ at: '', durationMs: 1, failure: reason }).title).not.toBe(`No response: ${reason}`);
  },
);

test.each([
  { reason: 'queue', errorCode: 'unavailable', words: 'Too many calls were in progress.' },
  { reason: 'account', errorCode: 'rate_limited', words: 'The rate limit of the account was reached.' },
  {
    reason: 'secret_unreadable',
    errorCode: 'internal_error',
    words: 'The service cannot decrypt a stored secret of the account.',
  },
  { reason: 'address', errorCode: 'rate_limited', words: 'The rate limit of the IP address was reached.' },
  {
    reason: 'client_secret_needed',
    errorCode: 'conflict',
    words: 'The stored client secret belongs to the previous client ID or URLs.',
  },
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
