import type { Connector } from '@svc/catalog';
import { expect, test } from 'vitest';
import type { ResolvedAccount } from '../connections/resolved-account.js';
import { callerDisconnected, ServiceError } from '../errors.js';
import { createRetryBudget } from '../upstream/retry.js';
import { createRetryWithBackoff } from './retry-with-backoff.js';

const connector = {
  errors: [{ status: 500, retry: 'reads' }],
  retry: { attempts: 3, baseMs: 1, capMs: 1 },
} as unknown as Connector;
const account = { connectionId: 'conn_1' } as ResolvedAccount;

test.each([
  {
    title: 'a write with an upstream key',
    isRead: false,
    details: { reason: 'outcome_unknown', repeatable: false },
  },
  { title: 'a read', isRead: true, details: { reason: 'aborted' } },
])('a caller that leaves during the pause after $title gets its outcome', async ({ isRead, details }) => {
  const retry = createRetryWithBackoff({
    budget: createRetryBudget(() => new Date(0)),
    random: () => 0,
    sleep: () => Promise.reject(callerDisconnected()),
  });
  const run = retry({ account, connector, isRead, hasKey: !isRead }, () =>
    Promise.reject(new ServiceError('upstream_failed', 'Failed.', { status: 500 })),
  );
  await expect(run).rejects.toMatchObject({ code: 'connection_failed', details });
});
