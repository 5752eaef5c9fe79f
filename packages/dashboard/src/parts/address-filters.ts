import { useLocation } from 'preact-iso';
import { withQuery } from '../paths.ts';
import type { Changeable } from './field.tsx';

export interface AddressFilters<Name extends string> {
  /** Filter values from the URL. A filter that is not in the URL has an empty value. */
  readonly filters: Readonly<Record<Name, string>>;
  /** Changes filters in the URL without a new entry in the browser history. An empty value removes a filter. */
  readonly setFilters: (changed: Readonly<Partial<Record<Name, string>>>) => void;
  /** Returns the value and the change handler for the form field of a filter. */
  readonly field: (name: Name) => Changeable;
}

/** Returns the sort order of a list by time, and the query of the list for this order. */
export function timeOrderOf({
  filters,
  setFilters,
}: Pick<AddressFilters<'order'>, 'filters' | 'setFilters'>) {
  const isOldestFirst = filters.order === 'oldest';
  return {
    column: {
      isDescending: !isOldestFirst,
      sort: (isDescending: boolean) => setFilters({ order: isDescending ? '' : 'oldest' }),
    },
    query: isOldestFirst ? ({ order: 'oldest' } as const) : {},
    words: isOldestFirst ? 'oldest first' : 'newest first',
  };
}

/** Reads and changes the filters of a list. The URL contains them, so that a link shows the filtered list. */
export function useAddressFilters<Name extends string>(names: readonly Name[]): AddressFilters<Name> {
  const { path, query, route } = useLocation();
  const entries = names.map((name) => [name, query[name] ?? ''] as const);
  const filters = Object.fromEntries(entries) as Record<Name, string>;
  const setFilters: AddressFilters<Name>['setFilters'] = (changed) =>
    route(withQuery(path, { ...query, ...changed }), true);
  const onValue = (name: Name) => (value: string) =>
    setFilters({ [name]: value } as Partial<Record<Name, string>>);
  return { filters, setFilters, field: (name) => ({ value: filters[name], onValue: onValue(name) }) };
}
