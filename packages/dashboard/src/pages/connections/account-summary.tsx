import { call, type ResponseOf } from '../../api/call.ts';
import { Fact } from '../../parts/fact.tsx';
import { type Loaded, Show, useLoaded, useRefresh } from '../../parts/loaded.tsx';
import { hrefOf, PATHS, withQuery } from '../../paths.ts';
import { grouped } from '../../words/numbers.ts';
import { ACCOUNT_STATUSES, type AccountStatus, NOT_TESTED } from '../../words/states.ts';

const SUMMARY = 'GET /operator/v1/applications/{applicationId}/connections/{connectionName}/summary';

export type Summary = ResponseOf<typeof SUMMARY>;

// Declared as a type and not as an interface, because `hrefOf` needs an index signature, which interfaces do not have.
export type ConnectionPath = {
  readonly applicationId: string;
  readonly connectionName: string;
};

const REFRESH_MS = 15_000;

export function useSummary(path: ConnectionPath): Loaded<Summary> {
  const summary = useLoaded(JSON.stringify(path), (signal) => call(SUMMARY, { path }, { signal }));
  useRefresh(summary, REFRESH_MS);
  return summary;
}

/** Describes the total number of a connection's accounts in words. */
export function totalOf({ accounts, more }: Summary): string {
  const sum = Object.values(accounts).reduce((all, count) => all + count, 0);
  if (sum === 0) return 'no accounts';
  if (sum === 1) return '1 account';
  return `${more ? 'more than ' : ''}${grouped(sum)} accounts`;
}

const STATUSES = Object.entries(ACCOUNT_STATUSES) as [AccountStatus, string][];

/** Returns the URL of the list of a connection's accounts, optionally filtered by status. */
export const accountsHref = (
  { applicationId, connectionName }: ConnectionPath,
  status?: AccountStatus | 'not_tested',
) => withQuery(hrefOf(PATHS.accounts, { applicationId }), { connectionName, status });

interface AccountSummaryProps {
  readonly path: ConnectionPath;
  readonly summary: Loaded<Summary>;
}

/** Shows how many accounts a connection has in each status. Each number links to the list of these accounts. */
export const AccountSummary = ({ path, summary }: AccountSummaryProps) => (
  <Show of={summary}>
    {({ accounts, more, notTested }) => (
      <>
        <dl class="facts">
          {STATUSES.map(([status, title]) => (
            <Fact key={status} title={title}>
              <a href={accountsHref(path, status)}>{grouped(accounts[status])}</a>
              {status === 'authorized' && notTested > 0 && (
                <span class="soft">
                  {' '}
                  (<a href={accountsHref(path, 'not_tested')}>{grouped(notTested)}</a>{' '}
                  {NOT_TESTED.toLowerCase()})
                </span>
              )}
            </Fact>
          ))}
        </dl>
        {more && <p class="soft">The count for each status stops at 10,000 accounts.</p>}
      </>
    )}
  </Show>
);
