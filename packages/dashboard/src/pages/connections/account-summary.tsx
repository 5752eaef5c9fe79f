import { type Answer, call } from '../../api/call.ts';
import { Fact } from '../../parts/fact.tsx';
import { type Loaded, Show, useLoaded } from '../../parts/loaded.tsx';
import { hrefOf, PATHS, withQuery } from '../../paths.ts';
import { grouped } from '../../words/numbers.ts';
import { ACCOUNT_STATUSES, type AccountStatus } from '../../words/states.ts';

const SUMMARY = 'GET /operator/v1/applications/{applicationId}/connections/{connectionName}/summary';

export type Summary = Answer<typeof SUMMARY>;

// A type, because `hrefOf` takes records and interfaces have no index signature.
export type ConnectionPlace = {
  readonly applicationId: string;
  readonly connectionName: string;
};

export const useSummary = (path: ConnectionPlace): Loaded<Summary> =>
  useLoaded(JSON.stringify(path), (signal) => call(SUMMARY, { path }, { signal }));

/** The number of accounts in all states together, in words. */
export function allOf({ accounts, more }: Summary): string {
  const sum = Object.values(accounts).reduce((all, count) => all + count, 0);
  if (sum === 0) return 'no account';
  if (sum === 1) return 'one account';
  return `${more ? 'more than ' : ''}${grouped(sum)} accounts`;
}

const STATUSES = Object.entries(ACCOUNT_STATUSES) as [AccountStatus, string][];

/** The address of the list of accounts in a state. */
export const accountsHref = ({ applicationId, connectionName }: ConnectionPlace, status?: AccountStatus) =>
  withQuery(hrefOf(PATHS.accounts, { applicationId }), { connectionName, status });

interface AccountSummaryProps {
  readonly place: ConnectionPlace;
  readonly summary: Loaded<Summary>;
}

/** The accounts of a connection by state; each count links to its accounts. */
export const AccountSummary = ({ place, summary }: AccountSummaryProps) => (
  <Show of={summary}>
    {({ accounts, more }) => (
      <>
        <dl class="facts">
          {STATUSES.map(([status, title]) => (
            <Fact key={status} title={title}>
              <a href={accountsHref(place, status)}>{grouped(accounts[status])}</a>
            </Fact>
          ))}
        </dl>
        {more && <p class="soft">Each state is counted as far as 10,000.</p>}
      </>
    )}
  </Show>
);
