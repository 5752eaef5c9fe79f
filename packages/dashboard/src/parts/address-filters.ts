import { useLocation } from 'preact-iso';
import { withQuery } from '../paths.ts';
import type { Changeable } from './field.tsx';

export interface AddressFilters<Name extends string> {
  /** The values of the filters; empty if the URL has none. */
  readonly filters: Readonly<Record<Name, string>>;
  /** Replaces the URL. An empty value removes a filter. */
  readonly setFilters: (changed: Readonly<Partial<Record<Name, string>>>) => void;
  /** The properties of a filter's form field. */
  readonly field: (name: Name) => Changeable;
}

/** The filters of a list, stored in the query of the URL, so that a link shows the same list. */
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
