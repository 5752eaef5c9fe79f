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

const matching = ({ applicationId, sealed, containing }: SealedSearch) => {
  const pattern = `%${containing.replace(/[\\%_]/g, '\\$&')}%`;
  return sql`application_id = ${applicationId} and ${sql.ref(sealed.column)} like ${pattern} escape '\\'`;
};

/** The tables and columns are those of a list in the code (sealed-columns.ts), and never given from outside. */
export const sealedValuesTable = (database: Database) => ({
  /** In the order of their rows, those after `after`. */
  list: async (search: SealedSearch, page: { after: string; limit: number }): Promise<SealedValue[]> => {
    const { table, column, rowKey } = search.sealed;
    const { rows } = await sql<SealedValue>`
      select ${sql.ref(rowKey)} as row_id, ${sql.ref(column)} as text from ${sql.table(table)}
      where ${matching(search)} and ${sql.ref(rowKey)} > ${page.after}
      order by ${sql.ref(rowKey)} limit ${page.limit}`.execute(database);
    return rows;
  },

  count: async (search: SealedSearch): Promise<number> => {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from ${sql.table(search.sealed.table)} where ${matching(search)}`.execute(
      database,
    );
    return Number(rows[0]?.count ?? 0);
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
