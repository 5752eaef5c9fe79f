/** Page of a search that reads a bounded number of rows. */
interface SearchedPage<Row, Cursor> {
  readonly rows: readonly Row[];
  /** Last row that the search read, if more rows may match. */
  readonly searchedTo?: Cursor | undefined;
}

type Compare<Cursor> = (one: Cursor, other: Cursor) => number;
type Sorted<TimeField extends string> = Readonly<Record<TimeField, number>> & { readonly id: string };

/** Creates the comparison that sorts rows by a field with their time, and then by their ids. */
export function compareBy<TimeField extends string>(
  field: TimeField,
  { isNewestFirst }: { readonly isNewestFirst: boolean },
): Compare<Sorted<TimeField>> {
  const sign = isNewestFirst ? -1 : 1;
  return (one, other) =>
    sign * (one[field] - other[field] || (one.id < other.id ? -1 : Number(one.id > other.id)));
}

/** Merges the pages of several searches. Drops rows beyond the point that one of the searches has not reached. */
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
