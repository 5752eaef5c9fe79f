import { expect, test } from 'vitest';
import { ServiceError } from '../errors.js';
import { classifyFailure } from './poll-failure.js';

const syncToken = { query: 'syncToken', output: 'next', expired: { status: 410, body: { reason: 'old' } } };
const upstream = (details: object) => new ServiceError('upstream_failed', 'Failed.', { ...details });

test.each<{ title: string; error: Error; syncToken?: typeof syncToken; kind: string }>([
  {
    title: 'an expired token',
    error: upstream({ status: 410, body: { reason: 'old' } }),
    syncToken,
    kind: 'expired',
  },
  { title: 'a 410 of another kind', error: upstream({ status: 410, body: {} }), syncToken, kind: 'refused' },
  {
    title: 'a 410 without a token',
    error: upstream({ status: 410, body: { reason: 'old' } }),
    kind: 'refused',
  },
  { title: 'a list that cannot be read', error: upstream({}), kind: 'refused' },
  { title: 'an unknown list', error: upstream({ status: 404 }), kind: 'refused' },
  { title: 'a limit with a time', error: upstream({ status: 403, retryAfter: 60 }), kind: 'postpone' },
  { title: 'a limit without a time', error: upstream({ status: 429 }), kind: 'postpone' },
  {
    title: 'a limit of the connector',
    error: upstream({ status: 403, body: { quota: 1 } }),
    kind: 'postpone',
  },
  { title: 'a failing upstream', error: upstream({ status: 500 }), kind: 'postpone' },
  { title: 'a missing consent', error: new ServiceError('account_not_authorized', 'No.'), kind: 'pause' },
  { title: 'a removed tool', error: new ServiceError('tool_not_found', 'No.'), kind: 'end' },
  { title: 'a database that is down', error: new Error('down'), kind: 'postpone' },
])('$title has its effect on the watch', ({ error, kind, ...given }) => {
  const rules = [{ status: 403, body: { quota: 1 }, retry: 'any' as const }];
  expect(classifyFailure(error, { syncToken: given.syncToken, rules }).kind).toBe(kind);
});
