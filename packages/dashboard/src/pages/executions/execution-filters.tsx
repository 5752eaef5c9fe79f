import { loadToolSummaries } from '../../api/catalogue.ts';
import { listConnections } from '../../api/connections.ts';
import { ALL, SelectField, TextField, withChosen } from '../../parts/field.tsx';
import { IdFilters } from '../../parts/id-filters.tsx';
import { useLoaded } from '../../parts/loaded.tsx';
import { fromLocalTime, toLocalTime } from '../../parts/local-time.ts';
import { SearchField } from '../../parts/search-field.tsx';
import { CUSTOM_RANGE, type Filters, OUTCOMES, RANGES } from './filters.ts';

interface ExecutionFiltersProps {
  readonly applicationId: string;
  readonly filters: Filters;
  readonly change: (changes: Readonly<Record<string, string>>) => void;
}

async function loadChoices(applicationId: string, signal: AbortSignal) {
  const [connections, tools] = await Promise.all([
    listConnections(applicationId, signal),
    loadToolSummaries(),
  ]);
  return { connections, tools };
}

const choicesOf = (names: readonly string[], chosen: string) =>
  withChosen([ALL, ...names.map((name) => ({ value: name, title: name }))], chosen);

const ID_FILTERS = [
  { name: 'accountId', label: 'Account ID' },
  { name: 'requestId', label: 'Request ID' },
  { name: 'traceId', label: 'Trace ID' },
] as const;

export function ExecutionFilters({ applicationId, filters, change }: ExecutionFiltersProps) {
  const { value } = useLoaded(applicationId, (signal) => loadChoices(applicationId, signal));
  const { connections = [], tools = [] } = value ?? {};
  const connector = connections.find((each) => each.connectionName === filters.connectionName)?.connector;
  const field = (name: keyof Filters) => ({
    value: filters[name],
    onValue: (chosen: string) => change({ [name]: chosen }),
  });
  const timeField = (name: 'since' | 'until') => ({
    value: toLocalTime(filters[name]),
    onValue: (local: string) => change({ [name]: fromLocalTime(local) }),
  });
  const selectable = tools.filter((tool) => connector === undefined || tool.connector === connector);
  return (
    <search class="filters">
      <SelectField
        label="Connection"
        value={filters.connectionName}
        choices={choicesOf(
          connections.map(({ connectionName }) => connectionName),
          filters.connectionName,
        )}
        onValue={(connectionName) => change({ connectionName, toolName: '' })}
      />
      <SelectField
        label="Tool"
        {...field('toolName')}
        choices={choicesOf(
          selectable.map(({ name }) => name),
          filters.toolName,
        )}
      />
      <SelectField label="Outcome" {...field('outcome')} choices={OUTCOMES} />
      <SearchField label="User" {...field('identifier')} />
      <SelectField
        label="Time"
        value={filters.range}
        choices={[...RANGES, CUSTOM_RANGE]}
        onValue={(range) => change({ range, since: '', until: '' })}
      />
      {filters.range === CUSTOM_RANGE.value && (
        <>
          <TextField label="From" type="datetime-local" {...timeField('since')} />
          <TextField label="To" type="datetime-local" {...timeField('until')} />
        </>
      )}
      <IdFilters ids={ID_FILTERS} field={field} />
    </search>
  );
}
