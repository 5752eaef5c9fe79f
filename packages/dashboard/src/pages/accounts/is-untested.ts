import { call, type ResponseOf } from '../../api/call.ts';

type Account = ResponseOf<'GET /operator/v1/applications/{applicationId}/accounts/{id}'>;

/** Reason in the audit log for secrets that the service stored without a successful test at the upstream. */
const NOT_VERIFIED = 'not_verified';

/** Number of latest calls among which a successful one is searched. */
const MOST_CALLS = 100;

/**
 * Resolves to true if the stored key or token of an account was stored without a test at the upstream, and none of the
 * latest calls has succeeded since then.
 */
export async function isUntested(
  applicationId: string,
  { id, status }: Pick<Account, 'id' | 'status'>,
  signal: AbortSignal,
): Promise<boolean> {
  if (status !== 'authorized') return false;
  const changes = { applicationId, object: id, action: 'account.secrets_changed', pageSize: 1 } as const;
  const { items } = await call('GET /operator/v1/audit-events', { query: changes }, { signal });
  const [last] = items;
  if (last?.reason !== NOT_VERIFIED) return false;
  const later = { accountId: id, since: last.at, pageSize: MOST_CALLS };
  const calls = await call(
    'GET /operator/v1/applications/{applicationId}/executions',
    { path: { applicationId }, query: later },
    { signal },
  );
  return !calls.items.some(({ errorCode, status: result }) => errorCode === undefined && result < 400);
}
