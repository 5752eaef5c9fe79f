import { listConnections } from '../../api/connections.ts';
import type { AddressFilters } from '../../parts/address-filters.ts';
import { ALL, SelectField } from '../../parts/field.tsx';
import { useLoaded } from '../../parts/loaded.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { ACCOUNT_STATUSES, type AccountStatus } from '../../words/states.ts';

interface AccountFilter {
  /** Prefix of the user identifiers to list. */
  readonly identifier: string;
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

interface AccountFiltersProps {
  readonly applicationId: string;
  readonly filter: AccountFilter;
  readonly field: AddressFilters<keyof AccountFilter>['field'];
}

export function AccountFilters({ applicationId, filter, field }: AccountFiltersProps) {
  const connections = useLoaded(applicationId, (signal) => listConnections(applicationId, signal));
  const names = connections.value?.map(({ connectionName }) => connectionName) ?? [];
  const isListed = names.includes(filter.connectionName) || filter.connectionName === '';
  return (
    <search class="filters">
      <SearchField label="Identifier starts with" {...field('identifier')} />
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
