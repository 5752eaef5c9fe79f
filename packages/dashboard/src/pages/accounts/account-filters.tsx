import type { RequestOf } from '../../api/call.ts';
import { listConnections } from '../../api/connections.ts';
import type { AddressFilters } from '../../parts/address-filters.ts';
import { ALL, SelectField } from '../../parts/field.tsx';
import { useLoaded } from '../../parts/loaded.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { ACCOUNT_STATUSES, type AccountStatus, NOT_TESTED, REFRESH_FAILING } from '../../words/states.ts';

type AccountQuery = NonNullable<
  RequestOf<'GET /operator/v1/applications/{applicationId}/accounts/count'>['query']
>;

interface AccountFilter {
  /** Text with which the user identifiers of the listed accounts begin. */
  readonly identifier: string;
  /** Any text, such as `true`, limits the list to accounts whose identifier equals `identifier`. */
  readonly exact: string;
  readonly order: string;
  readonly connectionName: string;
  /** A value of `STATES`, or empty for accounts in all states. */
  readonly status: string;
}

interface AccountState {
  readonly title: string;
  readonly query: AccountQuery;
}

/** States by which operators filter accounts. Accounts in the last two states have the status `authorized`. */
const STATES: Readonly<Record<string, AccountState>> = {
  ...Object.fromEntries(
    Object.entries(ACCOUNT_STATUSES).map(([status, title]) => [
      status,
      { title, query: { status: status as AccountStatus } },
    ]),
  ),
  not_tested: { title: NOT_TESTED, query: { notTested: true, refreshFailing: false } },
  refresh_failing: { title: REFRESH_FAILING, query: { refreshFailing: true } },
};

const STATE_CHOICES = [ALL, ...Object.entries(STATES).map(([value, { title }]) => ({ value, title }))];

const stateOf = (status: string): AccountState | undefined =>
  Object.hasOwn(STATES, status) ? STATES[status] : undefined;

/** Converts the filters in the URL to the query of the list. An unknown status is ignored. */
export const queryOf = ({ status, exact, order, ...others }: AccountFilter): AccountQuery => ({
  ...others,
  ...(exact && { exact: true }),
  ...stateOf(status)?.query,
  ...(order === 'descending' && { order }),
});

interface AccountFiltersProps extends AddressFilters<keyof AccountFilter> {
  readonly applicationId: string;
}

export function AccountFilters({ applicationId, filters, setFilters, field }: AccountFiltersProps) {
  const connections = useLoaded(applicationId, (signal) => listConnections(applicationId, signal));
  const names = connections.value?.map(({ connectionName }) => connectionName) ?? [];
  const isListed = names.includes(filters.connectionName) || filters.connectionName === '';
  return (
    <search class="filters">
      <SearchField
        label={filters.exact ? 'User identifier' : 'User identifier starts with'}
        value={filters.identifier}
        onValue={(identifier) => setFilters({ identifier, exact: '' })}
      />
      <SelectField
        label="Connection"
        {...field('connectionName')}
        choices={[
          ALL,
          ...(isListed ? names : [filters.connectionName, ...names]).map((value) => ({
            value,
            title: value,
          })),
        ]}
      />
      <SelectField
        label="Status"
        {...field('status')}
        value={stateOf(filters.status) === undefined ? '' : filters.status}
        choices={STATE_CHOICES}
      />
    </search>
  );
}
