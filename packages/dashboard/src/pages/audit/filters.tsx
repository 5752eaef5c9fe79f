import { applications, useApplicationId } from '../../application-choice.tsx';
import type { AddressFilters } from '../../parts/address-filters.ts';
import { ALL, type Choice, SelectField, TextField, withChosen } from '../../parts/field.tsx';
import { IdFilters } from '../../parts/id-filters.tsx';
import { useCall } from '../../parts/loaded.tsx';
import { fromLocalTime, toLocalTime } from '../../parts/local-time.ts';
import { SearchField } from '../../parts/search-field.tsx';
import { ACTIONS } from './words.ts';

export const FILTERS = [
  'applicationId',
  'identifier',
  'action',
  'result',
  'actor',
  'object',
  'requestId',
  'since',
  'until',
  'order',
] as const;

type Filters = AddressFilters<(typeof FILTERS)[number]>;

const ACTION_CHOICES = Object.entries(ACTIONS).map(([value, { title }]) => ({ value, title }));
const UNNAMED_ACTORS: readonly Choice[] = [
  ALL,
  { value: 'service', title: 'Service' },
  { value: 'command', title: 'Command line' },
  { value: 'user', title: 'User in a browser' },
];

const ID_FILTERS = [
  { name: 'object', label: 'Object ID' },
  { name: 'requestId', label: 'Request ID' },
] as const;

const RESULTS: readonly Choice[] = [
  ALL,
  { value: 'done', title: 'Done' },
  { value: 'refused', title: 'Refused' },
];

function useActors(): readonly Choice[] {
  const operators = useCall('GET /operator/v1/operators', {});
  return [
    ...UNNAMED_ACTORS,
    ...(operators.value?.items ?? []).map(({ name }) => ({ value: `operator:${name}`, title: name })),
    ...(applications.value ?? []).map(({ id, name }) => ({ value: id, title: `Application ${name}` })),
  ];
}

export function AuditFilters({ filters, setFilters, field }: Filters) {
  const actors = useActors();
  const current = useApplicationId() ?? '';
  // Selects the current application together with the user, because the service finds users only within one
  // application.
  const setUser = (identifier: string) =>
    setFilters({ identifier, applicationId: filters.applicationId || current });
  const owners = [ALL, ...(applications.value ?? []).map(({ id, name }) => ({ value: id, title: name }))];
  return (
    <search class="filters">
      <SelectField
        label="Action"
        {...field('action')}
        choices={withChosen([ALL, ...ACTION_CHOICES], filters.action)}
      />
      <SelectField label="Changed by" {...field('actor')} choices={withChosen(actors, filters.actor)} />
      <SelectField
        label="Application"
        value={filters.applicationId}
        onValue={(applicationId) => setFilters({ applicationId, identifier: '' })}
        choices={withChosen(owners, filters.applicationId)}
      />
      <SearchField label="User of an application" value={filters.identifier} onValue={setUser} />
      <SelectField label="Outcome" {...field('result')} choices={RESULTS} />
      <TextField
        label="From"
        type="datetime-local"
        value={toLocalTime(filters.since)}
        onValue={(since) => setFilters({ since: fromLocalTime(since) })}
      />
      <TextField
        label="To"
        type="datetime-local"
        value={toLocalTime(filters.until)}
        onValue={(until) => setFilters({ until: fromLocalTime(until) })}
      />
      <IdFilters ids={ID_FILTERS} field={field} />
    </search>
  );
}
