import { call } from '../../api/call.ts';
import { SelectField } from '../../parts/field.tsx';
import { useLoaded } from '../../parts/loaded.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { ACCOUNT_STATUSES, type AccountStatus } from '../../words/states.ts';

export interface AccountFilter {
  /** What identifiers begin with. */
  readonly identifier: string;
  readonly connectionName: string;
  readonly status: AccountStatus | undefined;
}

const isStatus = (text: string): text is AccountStatus => Object.hasOwn(ACCOUNT_STATUSES, text);

/** The filter that an address has in its query. */
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
  readonly onChange: (filter: Readonly<Record<string, string>>) => void;
}

export function AccountFilters({ applicationId, filter, onChange }: AccountFiltersProps) {
  const connections = useLoaded(applicationId, (signal) =>
    call(
      'GET /operator/v1/applications/{applicationId}/connections',
      { path: { applicationId }, query: { pageSize: 200 } },
      { signal },
    ),
  );
  const names = connections.value?.items.map(({ connectionName }) => connectionName) ?? [];
  const shown = names.includes(filter.connectionName) || filter.connectionName === '';
  return (
    <search class="filters">
      <SearchField
        label="Identifier begins with"
        value={filter.identifier}
        onValue={(identifier) => onChange({ identifier })}
      />
      <SelectField
        label="Connection"
        value={filter.connectionName}
        choices={[
          { value: '', title: 'All' },
          ...(shown ? names : [filter.connectionName, ...names]).map((value) => ({ value, title: value })),
        ]}
        onValue={(connectionName) => onChange({ connectionName })}
      />
      <SelectField
        label="State"
        value={filter.status ?? ''}
        choices={[
          { value: '', title: 'All' },
          ...Object.entries(ACCOUNT_STATUSES).map(([value, title]) => ({ value, title })),
        ]}
        onValue={(status) => onChange({ status })}
      />
    </search>
  );
}
