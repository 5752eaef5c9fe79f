import { loadToolSummaries } from '../../api/catalogue.ts';
import { listConnections } from '../../api/connections.ts';
import { SelectField, TextField } from '../../parts/field.tsx';
import { useLoaded } from '../../parts/loaded.tsx';
import { type Filters, OUTCOMES, OWN_RANGE, RANGES } from './filters.ts';

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

const ALL = { value: '', title: 'All' };
const named = (names: readonly string[], chosen: string) =>
  [ALL, ...new Set([...names, ...(chosen === '' ? [] : [chosen])])].map((each) =>
    typeof each === 'string' ? { value: each, title: each } : each,
  );

/** The filters. The address contains them, so that a link shows the same list. */
export function ExecutionFilters({ applicationId, filters, change }: ExecutionFiltersProps) {
  const { value } = useLoaded(applicationId, (signal) => loadChoices(applicationId, signal));
  const { connections = [], tools = [] } = value ?? {};
  const connector = connections.find((each) => each.connectionName === filters.connectionName)?.connector;
  const field = (name: keyof Filters) => ({
    value: filters[name],
    onValue: (chosen: string) => change({ [name]: chosen }),
  });
  const ofConnector = tools.filter((tool) => connector === undefined || tool.connector === connector);
  return (
    <search class="filters">
      <SelectField
        label="Connection"
        value={filters.connectionName}
        choices={named(
          connections.map(({ connectionName }) => connectionName),
          filters.connectionName,
        )}
        onValue={(connectionName) => change({ connectionName, toolName: '' })}
      />
      <SelectField
        label="Tool"
        {...field('toolName')}
        choices={named(
          ofConnector.map(({ name }) => name),
          filters.toolName,
        )}
      />
      <SelectField label="Outcome" {...field('outcome')} choices={OUTCOMES} />
      <TextField label="Account id" type="search" placeholder="acct_…" {...field('accountId')} />
      <SelectField
        label="Time"
        value={filters.range}
        choices={[...RANGES, OWN_RANGE]}
        onValue={(range) => change({ range, since: '', until: '' })}
      />
      {filters.range === OWN_RANGE.value && (
        <>
          <TextField label="From" type="datetime-local" {...field('since')} />
          <TextField label="To" type="datetime-local" {...field('until')} />
        </>
      )}
    </search>
  );
}
