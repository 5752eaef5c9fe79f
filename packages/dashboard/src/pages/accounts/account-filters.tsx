import { useEffect, useState } from 'preact/hooks';
import { call } from '../../api/call.ts';
import { useLoaded } from '../../api/use-loaded.ts';
import { SelectField, TextField } from '../../parts/field.tsx';
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

const TYPED_MS = 250;

/** What is searched for goes into the address once nothing more is typed. */
function Search({ value, onValue }: { readonly value: string; readonly onValue: (value: string) => void }) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => onValue(typed), TYPED_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <TextField
      label="Identifier begins with"
      type="search"
      value={typed}
      onValue={setTyped}
      maxLength={256}
      autoComplete="off"
      spellcheck={false}
    />
  );
}

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
      <Search value={filter.identifier} onValue={(identifier) => onChange({ identifier })} />
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
