import { expect, test } from 'vitest';
import { ServiceError } from '../errors.js';
import { createDescribeFailure } from './describe-failure.js';

const toFailure = createDescribeFailure({
  links: { create: async () => ({ link: 'https://svc.example/connect/1', expiresAt: 'soon' }) },
  log: { fault: () => undefined },
});
const attempt = {
  toolName: 'workspace_blocks_append',
  isReadOnly: false,
  requestId: 'req_1',
  applicationId: 'app_1',
  account: { connectionName: 'workspace', identifier: 'ada' },
};

const CODES = ['unavailable', 'rate_limited', 'account_not_authorized'] as const;

test.each(CODES)('a partly completed call is not retryable: %s', async (code) => {
  const details = { repeatable: false, progress: { appended: 100, total: 150 } };
  const message = '100 of 150 blocks were appended. Do not repeat the whole';

  const { isRetryable, text, link } = await toFailure(new ServiceError(code, message, details), attempt);

  expect(isRetryable).toBe(false);
  expect(link).toBeUndefined();
  expect(text).toContain(message);
  expect(text).toContain('"appended":100');
});

test('a call that did nothing is retryable, after the consent if one is missing', async () => {
  expect(await toFailure(new ServiceError('unavailable', 'Busy.'), attempt)).toMatchObject({
    isRetryable: true,
  });
  expect(await toFailure(new ServiceError('account_not_authorized', 'No.'), attempt)).toMatchObject({
    link: { url: 'https://svc.example/connect/1' },
    text: expect.stringContaining('call workspace_blocks_append again'),
  });
});

test.each([
  { title: 'a missing consent', details: {}, reason: 'has not connected "workspace"' },
  { title: 'a missing scope', details: { requiredScopes: ['a', 'b'] }, reason: 'this call needs: a b.' },
  { title: 'a missing credential', details: { credential: 'scraper' }, reason: 'the credential "scraper"' },
  { title: 'a refused key', details: { statusReason: 'key_refused' }, reason: "refused the user's key" },
])('the text with the link names $title', async ({ details, reason }) => {
  const error = new ServiceError('account_not_authorized', 'No.', details);
  const { text, link } = await toFailure(error, attempt);
  expect(text).toContain(reason);
  expect(link?.message).toContain(reason);
});

test('errors and advice that the message contains are not repeated, and other details follow it', async () => {
  const errors = [{ field: 'page', rule: 'type', message: '"page" must be a number' }];
  const invalid = new ServiceError('invalid_input', '"page" must be a number.', { errors });
  expect((await toFailure(invalid, attempt)).text).toBe('invalid_input: "page" must be a number.');
  const details = { status: 404, advice: 'Search first.', errors: [{ field: 'id', message: 'Unknown id' }] };
  const failed = new ServiceError('upstream_failed', 'It is missing. Search first.', details);
  const [, rest] = (await toFailure(failed, attempt)).text.split('\n');
  expect(JSON.parse(rest ?? '')).toEqual({ status: 404, errors: details.errors });
});

test('a partial failure reports the finished part in full, however long the upstream error is', async () => {
  const progress = { done: 1, items: [{ name: 'x'.repeat(5000) }], remaining: ['https://in.example/2'] };
  const details = { body: 'y'.repeat(5000), repeatable: false, progress };
  const error = new ServiceError('upstream_failed', 'The first is in progress.items', details);

  const { text } = await toFailure(error, attempt);

  expect(text.split('\n').map((line) => line.length)).toEqual([expect.any(Number), 2001, expect.any(Number)]);
  expect(JSON.parse(text.split('\n').at(-1) ?? '')).toEqual({ progress });
});
