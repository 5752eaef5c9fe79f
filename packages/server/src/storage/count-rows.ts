import { type SelectQueryBuilder, sql } from 'kysely';
import type { RowCount } from '../page.js';
import type { Database } from './schema.js';

/** Number of rows at which counting stops, so that counting a large list stays cheap. */
const MAX_COUNTED = 10_000;

/** Converts a number of found rows to a count. `isPartial`: true if the query did not search all rows of the list. */
export const toRowCount = (found: number, isPartial = false): RowCount => ({
  count: Math.min(found, MAX_COUNTED),
  more: found > MAX_COUNTED || isPartial,
});

/** Adds the counts of all parts of a list. */
export const sumCounts = (counts: readonly RowCount[]): RowCount =>
  toRowCount(
    counts.reduce((sum, { count }) => sum + count, 0),
    counts.some(({ more }) => more),
  );

/** Counts the rows that a query returns. Reads at most `MAX_COUNTED` rows and one more. */
export async function countRows<Tables, Table extends keyof Tables, Output>(
  database: Database,
  select: SelectQueryBuilder<Tables, Table, Output>,
  isPartial = false,
): Promise<RowCount> {
  const { rows } = await sql<{
    count: number;
  }>`select count(*) as count from (${select.limit(MAX_COUNTED + 1)}) as found`.execute(database);
  return toRowCount(Number(rows[0]?.count ?? 0), isPartial);
}
