import { listConnections } from '../../api/connections.ts';
import type { AddressFilters } from '../../parts/address-filters.ts';
import { SelectField } from '../../parts/field.tsx';
import { useLoaded } from '../../parts/loaded.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { ACCOUNT_STATUSES, type AccountStatus } from '../../words/states.ts';

export interface AccountFilter {
  /** The beginning of identifiers. */
  readonly identifier: string;
  readonly connectionName: string;
  readonly status: AccountStatus | undefined;
}

const isStatus = (text: string): text is AccountStatus => Object.hasOwn(ACCOUNT_STATUSES, text);

/** Reads the filter from the query of an address. */
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
  const shown = names.includes(filter.connectionName) || filter.connectionName === '';
  return (
    <search class="filters">
      <SearchField label="Identifier begins with" {...field('identifier')} />
      <SelectField
        label="Connection"
        {...field('connectionName')}
        choices={[
          { value: '', title: 'All' },
          ...(shown ? names : [filter.connectionName, ...names]).map((value) => ({ value, title: value })),
        ]}
      />
      <SelectField
        label="State"
        {...field('status')}
        value={filter.status ?? ''}
        choices={[
          { value: '', title: 'All' },
          ...Object.entries(ACCOUNT_STATUSES).map(([value, title]) => ({ value, title })),
        ]}
      />
    </search>
  );
}
