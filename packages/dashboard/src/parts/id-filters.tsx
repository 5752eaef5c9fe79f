import type { Changeable } from './field.tsx';
import { SearchField } from './search-field.tsx';

interface IdFiltersProps<Name extends string> {
  readonly ids: readonly { readonly name: Name; readonly label: string }[];
  readonly field: (name: Name) => Changeable;
}

/** Collapsed filters for IDs. They are open if one of them is set. */
export const IdFilters = <Name extends string>({ ids, field }: IdFiltersProps<Name>) => (
  <details class="more" open={ids.some(({ name }) => field(name).value !== '')}>
    <summary>Filter by ID</summary>
    <div class="filters">
      {ids.map(({ name, label }) => (
        <SearchField key={name} label={label} {...field(name)} />
      ))}
    </div>
  </details>
);
