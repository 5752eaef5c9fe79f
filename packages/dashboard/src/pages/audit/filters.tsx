import { applications } from '../../application-choice.tsx';
import type { AddressFilters } from '../../parts/address-filters.ts';
import { type Choice, SelectField, TextField } from '../../parts/field.tsx';
import { useCall } from '../../parts/loaded.tsx';
import { ACTIONS } from './words.ts';

export const FILTERS = ['applicationId', 'action', 'actor', 'since', 'until'] as const;

type Filters = AddressFilters<(typeof FILTERS)[number]>;

const ANY_ACTION = { value: '', title: 'Anything' };
const ACTION_CHOICES = Object.entries(ACTIONS).map(([value, { title }]) => ({ value, title }));
const NOBODY_BY_NAME: readonly Choice[] = [
  { value: '', title: 'Anybody' },
  { value: 'service', title: 'The service itself' },
  { value: 'command', title: 'Somebody at the command line' },
  { value: 'user', title: 'Somebody in a browser' },
];

/** Keeps a value of the address choosable that is missing from the list. */
const withChosen = (choices: readonly Choice[], chosen: string): readonly Choice[] =>
  choices.some(({ value }) => value === chosen) ? choices : [...choices, { value: chosen, title: chosen }];

function useActors(): readonly Choice[] {
  const operators = useCall('GET /operator/v1/operators', {});
  return [
    ...NOBODY_BY_NAME,
    ...(operators.value?.items ?? []).map(({ name }) => ({ value: `operator:${name}`, title: name })),
    ...(applications.value ?? []).map(({ id, name }) => ({ value: id, title: `The application ${name}` })),
  ];
}

export function AuditFilters({ filters, setFilters, field }: Filters) {
  const actors = useActors();
  const owners = [
    { value: '', title: 'All of them' },
    ...(applications.value ?? []).map(({ id, name }) => ({ value: id, title: name })),
  ];
  return (
    <search class="filters">
      <SelectField
        label="What was done"
        {...field('action')}
        choices={withChosen([ANY_ACTION, ...ACTION_CHOICES], filters.action)}
      />
      <SelectField label="By whom" {...field('actor')} choices={withChosen(actors, filters.actor)} />
      <SelectField
        label="Application"
        {...field('applicationId')}
        choices={withChosen(owners, filters.applicationId)}
      />
      <TextField
        label="From"
        type="datetime-local"
        value={toLocalTime(filters.since)}
        onValue={(since) => setFilters({ since: fromLocalTime(since) })}
      />
      <TextField
        label="Until"
        type="datetime-local"
        value={toLocalTime(filters.until)}
        onValue={(until) => setFilters({ until: fromLocalTime(until) })}
      />
    </search>
  );
}

/** A moment as the value of a `datetime-local` field, in local time; empty for none. */
export function toLocalTime(moment: string): string {
  const at = Date.parse(moment);
  if (Number.isNaN(at)) return '';
  return new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The moment of a `datetime-local` field; empty for none. */
export function fromLocalTime(local: string): string {
  const at = Date.parse(local);
  return Number.isNaN(at) ? '' : new Date(at).toISOString();
}
