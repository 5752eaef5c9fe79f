/** Page of a search that reads a bounded number of rows. */
interface SearchedPage<Row, Cursor> {
  readonly rows: readonly Row[];
  /** Last row that the search read. Undefined if no more rows can match. */
  readonly searchedTo?: Cursor | undefined;
}

type Compare<Cursor> = (one: Cursor, other: Cursor) => number;
type Sorted<TimeField extends string> = Readonly<Record<TimeField, number>> & { readonly id: string };

/** Creates the comparison that sorts rows by the time in `field`, and rows of an equal time by their ids. */
export function compareBy<TimeField extends string>(
  field: TimeField,
  { isNewestFirst }: { readonly isNewestFirst: boolean },
): Compare<Sorted<TimeField>> {
  const sign = isNewestFirst ? -1 : 1;
  return (one, other) =>
    sign * (one[field] - other[field] || (one.id < other.id ? -1 : Number(one.id > other.id)));
}

/**
 * Merges the sorted pages of several searches. Drops rows after the earliest `searchedTo`: beyond it, at least one
 * search has read nothing, so rows could be missing between them.
 */
export function mergePages<Cursor, Row extends Cursor>(
  pages: readonly SearchedPage<Row, Cursor>[],
  compare: Compare<Cursor>,
  limit: number,
): { readonly rows: Row[]; readonly searchedTo?: Cursor | undefined } {
  const [searchedTo] = pages.flatMap((page) => page.searchedTo ?? []).sort(compare);
  const rows = pages
    .flatMap((page) => page.rows)
    .filter((row) => searchedTo === undefined || compare(row, searchedTo) <= 0)
    .sort(compare);
  return rows.length < limit ? { rows, searchedTo } : { rows: rows.slice(0, limit) };
}
