import { sql } from 'kysely';
import type { Database } from './database.js';
import type { SealedColumnName } from './sealed-columns.js';

/** The content of a sealed column, in one row. */
export interface SealedValue {
  readonly rowId: string;
  readonly text: string;
}

/** The values of one column of an application in which a text stands, such as the mark of a key. */
export interface SealedSearch {
  readonly applicationId: string;
  readonly sealed: SealedColumnName;
  readonly containing: string;
}

/** A slice: so many rows of the application at most, those after `after`. */
export interface Slice {
  readonly after: string;
  readonly most: number;
}

/** What was found in a slice, and the last row that was looked at; none when there was no row any more. */
export interface Found<Value> {
  readonly found: Value;
  readonly last: string | undefined;
}

const isMatch = ({ containing }: SealedSearch) =>
  sql`text like ${`%${containing.replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`;

/** Found by an index: what a slice costs does not depend on how many rows there are, or how few of them match. */
const slice = ({ applicationId, sealed }: SealedSearch, { after, most }: Slice) => {
  const key = sql.ref(sealed.rowKey);
  return sql`select ${key} as row_id, ${sql.ref(sealed.column)} as text from ${sql.table(sealed.table)}
    where application_id = ${applicationId} and ${key} > ${after} order by ${key} limit ${most}`;
};

/** The tables and columns are those of a list in the code (sealed-columns.ts), and never given from outside. */
export const sealedValuesTable = (database: Database) => ({
  /** In the order of their rows. */
  findSome: async (search: SealedSearch, within: Slice): Promise<Found<readonly SealedValue[]>> => {
    const { rows } = await sql<{ rowId: string; text: string | null }>`
      select row_id, case when ${isMatch(search)} then text end as text from (${slice(search, within)}) as slice
      order by row_id`.execute(database);
    const found = rows.flatMap(({ rowId, text }) => (text === null ? [] : [{ rowId, text }]));
    return { found, last: rows.at(-1)?.rowId };
  },

  countSome: async (search: SealedSearch, within: Slice): Promise<Found<number>> => {
    const { rows } = await sql<{ found: number; last: string | null }>`
      select count(case when ${isMatch(search)} then 1 end) as found, max(row_id) as last
      from (${slice(search, within)}) as slice`.execute(database);
    return { found: Number(rows[0]?.found ?? 0), last: rows[0]?.last ?? undefined };
  },

  /** Compare and set. Whether the value still was as it was read. */
  replace: async (
    { applicationId, sealed }: Pick<SealedSearch, 'applicationId' | 'sealed'>,
    { rowId, text }: SealedValue,
    to: string,
  ): Promise<boolean> => {
    const { numAffectedRows } = await sql`
      update ${sql.table(sealed.table)} set ${sql.ref(sealed.column)} = ${to}
      where application_id = ${applicationId} and ${sql.ref(sealed.rowKey)} = ${rowId}
      and ${sql.ref(sealed.column)} = ${text}`.execute(database);
    return (numAffectedRows ?? 0n) > 0n;
  },
});
