import { expect, test } from 'vitest';
import { ACCOUNT, CONNECTION } from '../../test/support/databases/sample-rows.js';
import { joinConnection } from '../connections/insert-account.js';
import { refreshUnavailable } from '../connections/refresh-failure.js';
import { ServiceError } from '../errors.js';
import { unreachable } from '../storage/postgres-error.js';
import { keyServiceDown } from '../vault/key-service.js';
import { causeOf, type FailedFacts } from './execution-cause.js';

const FACTS: FailedFacts = { userTexts: ['ada'], hidesUpstreamErrors: false };

const causeFrom = (details: object, facts: Partial<FailedFacts> = {}) =>
  JSON.parse(
    causeOf(new ServiceError('upstream_failed', 'No.', { ...details }), { ...FACTS, ...facts }) ?? 'null',
  );

test.each([
  {
    title: 'Google',
    body: { error: { code: 403, message: 'No', status: 'PERMISSION_DENIED' } },
    code: 'PERMISSION_DENIED',
  },
  { title: 'Microsoft', body: { error: { code: 'itemNotFound', message: 'No' } }, code: 'itemNotFound' },
  {
    title: 'Notion',
    body: { object: 'error', status: 403, code: 'restricted_resource', message: 'No' },
    code: 'restricted_resource',
  },
  { title: 'LinkedIn', body: { message: 'No', serviceErrorCode: 100, status: 403 }, code: '100' },
  { title: 'JSON-RPC', body: { code: -32602, message: 'No' }, code: '-32602' },
  { title: 'a list of errors', body: { errors: [{ code: 'bad', detail: 'No' }] }, code: 'bad' },
])('finds the error code and message of $title', ({ body, code }) => {
  expect(causeFrom({ status: 403, body })).toEqual({ upstreamCode: code, upstreamMessage: 'No' });
});

test('finds the message of a failed MCP result', () => {
  const body = { isError: true, content: [{ type: 'text', text: 'Actor not found' }] };
  expect(causeFrom({ status: 200, body })).toEqual({ upstreamMessage: 'Actor not found' });
});

test('cuts a message at 300 characters without splitting a character', () => {
  for (const length of [297, 298, 299, 300]) {
    const { upstreamMessage } = causeFrom({
      status: 400,
      body: { message: `${'a '.repeat(length / 2)}${'😀'.repeat(9)}` },
    });
    expect(upstreamMessage.length).toBeLessThanOrEqual(300);
    expect(upstreamMessage.isWellFormed()).toBe(true);
  }
});

test('a secret at the end of a long message is not shown in part', () => {
  const body = { message: `${'word '.repeat(798)} key sk12345678901234567890` };
  expect(JSON.stringify(causeFrom({ status: 400, body }))).not.toContain('sk1');
  const shrinking = { message: `${'a1b2c3d4e5f6g7h8 '.repeat(234)}${'sk1'.repeat(20)}` };
  expect(JSON.stringify(causeFrom({ status: 400, body: shrinking }))).not.toContain('sk1');
});

test('escapes control characters and characters that reverse the text', () => {
  const { upstreamMessage } = causeFrom({ status: 400, body: { message: 'a\u0000b\u202ec' } });
  expect(upstreamMessage).toBe('a\\u0000b\\u202ec');
});

test('hides values of the input and the user', () => {
  const body = { message: 'Lovelace of ada has no access' };
  expect(causeFrom({ status: 403, body }, { input: { name: 'Lovelace' } })).toEqual({
    upstreamMessage: '(hidden) of (hidden) has no access',
  });
});

test.each([
  { title: 'data of a successful response', details: { status: 200, body: 'Dear Ada' } },
  { title: 'an error without a body', details: { status: 500 } },
])('stores nothing of $title', ({ details }) => {
  expect(causeFrom(details)).toBe(null);
});

test('stores nothing of the upstream if the connection hides its errors', () => {
  const details = { status: 403, body: { message: 'No' }, reason: 'call_rejected' };
  expect(causeFrom(details, { hidesUpstreamErrors: true })).toEqual({ reason: 'call_rejected' });
});

test.each([
  {
    reason: 'refresh',
    error: refreshUnavailable(joinConnection({ row: ACCOUNT, connection: CONNECTION }), 'failed'),
  },
  { reason: 'storage', error: unreachable(new Error('ECONNREFUSED')) },
  { reason: 'key_service', error: keyServiceDown(new Error('ECONNREFUSED')) },
  { reason: 'account', error: new ServiceError('rate_limited', 'No.', { retryAfter: 1, limit: 'account' }) },
  { reason: 'timeout', error: new ServiceError('connection_failed', 'No.', { reason: 'timeout' }) },
  {
    reason: 'invalid_grant',
    error: new ServiceError('invalid_request', 'No.', { oauthError: 'invalid_grant' }),
  },
])('names the reason $reason', ({ reason, error }) => {
  expect(JSON.parse(causeOf(error, FACTS) ?? '')).toEqual({ reason });
});

test('names at most five fields, and never their values', () => {
  const errors = Array.from({ length: 20 }, (_, index) => ({
    field: `f${index}`,
    rule: 'type',
    message: 'is 4711',
  }));
  const error = new ServiceError('invalid_input', '"f0" is 4711', { errors });
  const cause = causeOf(error, FACTS) ?? '';
  expect(JSON.parse(cause).fields).toHaveLength(5);
  expect(cause).not.toContain('4711');
});
