import { listConnections } from '../../api/connections.ts';
import type { AddressFilters } from '../../parts/address-filters.ts';
import { ALL, SelectField } from '../../parts/field.tsx';
import { useLoaded } from '../../parts/loaded.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { ACCOUNT_STATUSES, type AccountStatus } from '../../words/states.ts';

interface AccountFilter {
  /** Prefix of the user identifiers of the listed accounts. */
  readonly identifier: string;
  /** If this is not empty, for example `true`, only accounts whose identifier equals `identifier` are listed. */
  readonly exact: string;
  readonly order: string;
  readonly connectionName: string;
  readonly status: AccountStatus | undefined;
}

const isStatus = (text: string): text is AccountStatus => Object.hasOwn(ACCOUNT_STATUSES, text);

/** Reads the filters from the URL. An unknown status is ignored. */
export const readFilter = ({
  status,
  ...rest
}: Readonly<Record<keyof AccountFilter, string>>): AccountFilter => ({
  ...rest,
  status: isStatus(status) ? status : undefined,
});

interface AccountFiltersProps extends AddressFilters<keyof AccountFilter> {
  readonly applicationId: string;
}

export function AccountFilters({ applicationId, filters, setFilters, field }: AccountFiltersProps) {
  const filter = readFilter(filters);
  const connections = useLoaded(applicationId, (signal) => listConnections(applicationId, signal));
  const names = connections.value?.map(({ connectionName }) => connectionName) ?? [];
  const isListed = names.includes(filter.connectionName) || filter.connectionName === '';
  return (
    <search class="filters">
      <SearchField
        label={filter.exact ? 'User identifier' : 'User identifier starts with'}
        value={filter.identifier}
        onValue={(identifier) => setFilters({ identifier, exact: '' })}
      />
      <SelectField
        label="Connection"
        {...field('connectionName')}
        choices={[
          ALL,
          ...(isListed ? names : [filter.connectionName, ...names]).map((value) => ({ value, title: value })),
        ]}
      />
      <SelectField
        label="Status"
        {...field('status')}
        value={filter.status ?? ''}
        choices={[ALL, ...Object.entries(ACCOUNT_STATUSES).map(([value, title]) => ({ value, title }))]}
      />
    </search>
  );
}
