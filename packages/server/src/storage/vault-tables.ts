import { sql } from 'kysely';
import { deletes, inserts, updates } from './affected-rows.js';
import type { Database, DataKeyRow } from './schema.js';
import type { SealedColumnName } from './sealed-columns.js';

export const dataKeysTable = (database: Database) => ({
  /**
   * Returns the number of data keys of all applications, and the creation time of the oldest one in milliseconds since
   * 1970.
   */
  count: async (): Promise<{ readonly count: number; readonly oldest: number | undefined }> => {
    const { fn } = database;
    const row = await database
      .selectFrom('dataKeys')
      .select([fn.countAll<number>().as('count'), fn.min('createdAt').as('oldest')])
      .executeTakeFirst();
    return { count: Number(row?.count ?? 0), oldest: row?.oldest ?? undefined };
  },

  find: (applicationId: string, id: string): Promise<DataKeyRow | undefined> =>
    database
      .selectFrom('dataKeys')
      .selectAll()
      .where('applicationId', '=', applicationId)
      .where('id', '=', id)
      .executeTakeFirst(),

  newest: (applicationId: string): Promise<DataKeyRow | undefined> =>
    database
      .selectFrom('dataKeys')
      .selectAll()
      .where('applicationId', '=', applicationId)
      .orderBy('generation', 'desc')
      .limit(1)
      .executeTakeFirst(),

  /** Lists the data keys of an application, oldest first. */
  list: (applicationId: string): Promise<DataKeyRow[]> =>
    database
      .selectFrom('dataKeys')
      .selectAll()
      .where('applicationId', '=', applicationId)
      .orderBy('generation')
      .execute(),

  /**
   * Lists a page of the data keys of all applications, sorted by id. Only the service itself may use it, because
   * operators manage keys.
   */
  listAll: (after: string, limit: number): Promise<DataKeyRow[]> =>
    database.selectFrom('dataKeys').selectAll().where('id', '>', after).orderBy('id').limit(limit).execute(),

  /** Lists a page of the ids of applications that have at least `least` data keys. */
  owners: async (least: number, { after, limit }: { after: string; limit: number }): Promise<string[]> => {
    const rows = await database
      .selectFrom('dataKeys')
      .select('applicationId')
      .where('applicationId', '>', after)
      .groupBy('applicationId')
      .having(({ fn }) => fn.countAll(), '>=', least)
      .orderBy('applicationId')
      .limit(limit)
      .execute();
    return rows.map(({ applicationId }) => applicationId);
  },

  /** Inserts a data key. Returns false if the application already has a key with that generation number. */
  insert: (dataKey: DataKeyRow): Promise<boolean> =>
    inserts(
      database
        .insertInto('dataKeys')
        .values(dataKey)
        .onConflict((conflict) => conflict.columns(['applicationId', 'generation']).doNothing()),
    ),

  /**
   * Reserves `count` encryptions with a data key. Returns false if the key would exceed `most` encryptions, because
   * random IVs could then repeat.
   */
  reserve: (
    { applicationId, id }: Pick<DataKeyRow, 'applicationId' | 'id'>,
    { count, most }: { readonly count: number; readonly most: number },
  ): Promise<boolean> =>
    updates(
      database
        .updateTable('dataKeys')
        .set(({ eb }) => ({ encryptions: eb('encryptions', '+', count) }))
        .where('applicationId', '=', applicationId)
        .where('id', '=', id)
        .where('encryptions', '<=', most - count),
    ),

  /**
   * Replaces the stored ciphertext of a data key with a ciphertext of the same key under another root key. Returns
   * false if a concurrent call has already replaced it.
   */
  rewrap: (
    { applicationId, id, wrappedKey }: Pick<DataKeyRow, 'applicationId' | 'id' | 'wrappedKey'>,
    to: string,
  ): Promise<boolean> =>
    updates(
      database
        .updateTable('dataKeys')
        .set({ wrappedKey: to })
        .where('applicationId', '=', applicationId)
        .where('id', '=', id)
        .where('wrappedKey', '=', wrappedKey),
    ),

  /**
   * Stores the time since which no value is encrypted with the data key, in milliseconds since 1970. `null` if such a
   * value exists.
   */
  setUnusedSince: async (
    { applicationId, id }: Pick<DataKeyRow, 'applicationId' | 'id'>,
    unusedSince: number | null,
  ): Promise<void> => {
    await database
      .updateTable('dataKeys')
      .set({ unusedSince })
      .where('applicationId', '=', applicationId)
      .where('id', '=', id)
      .execute();
  },

  /** Deletes a data key. Returns true if it existed. */
  delete: ({ applicationId, id }: Pick<DataKeyRow, 'applicationId' | 'id'>): Promise<boolean> =>
    deletes(database.deleteFrom('dataKeys').where('applicationId', '=', applicationId).where('id', '=', id)),

  /** Deletes all data keys of an application, and returns their ids. */
  deleteOf: async (applicationId: string): Promise<string[]> => {
    const rows = await database
      .deleteFrom('dataKeys')
      .where('applicationId', '=', applicationId)
      .returning('id')
      .execute();
    return rows.map(({ id }) => id);
  },
});

/** Ciphertext of an encrypted column in one row. */
export interface SealedValue {
  readonly rowId: string;
  readonly text: string;
}

/**
 * Search in an encrypted column of one application. It finds ciphertexts that contain the text `containing`, such as
 * the id of the key that encrypted them.
 */
export interface SealedSearch {
  readonly applicationId: string;
  readonly sealed: SealedColumnName;
  readonly containing: string;
}

/** Rows of an application that one query of a search reads: at most `most` rows after the row id `after`. */
export interface Slice {
  readonly after: string;
  readonly most: number;
}

/**
 * Result of searching the rows that one query reads. `last`: last row id that the query read; `undefined` if no row was
 * left.
 */
export interface Batch<Value> {
  readonly items: Value;
  readonly last: string | undefined;
}

const isMatch = ({ containing }: SealedSearch) =>
  sql`text like ${`%${containing.replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`;

/**
 * Selects by an index at most `most` rows after the row id `after`. The cost depends neither on the size of the table
 * nor on how few rows match the search.
 */
const selectSlice = ({ applicationId, sealed }: SealedSearch, { after, most }: Slice) => {
  const key = sql.ref(sealed.rowKey);
  return sql`select ${key} as row_id, ${sql.ref(sealed.column)} as text from ${sql.table(sealed.table)}
    where application_id = ${applicationId} and ${key} > ${after} order by ${key} limit ${most}`;
};

/**
 * Queries of encrypted column values. Table and column names are safe in SQL, because they come from sealed-columns.ts
 * and never from a request.
 */
export const sealedValuesTable = (database: Database) => ({
  /**
   * Returns the ciphertexts of an encrypted column that contain the searched text, such as a key id. Reads only the
   * rows of `slice`, and sorts the result by row id.
   */
  findSome: async (search: SealedSearch, slice: Slice): Promise<Batch<readonly SealedValue[]>> => {
    const { rows } = await sql<{ rowId: string; text: string | null }>`
      select row_id, case when ${isMatch(search)} then text end as text from (${selectSlice(search, slice)}) as slice
      order by row_id`.execute(database);
    const items = rows.flatMap(({ rowId, text }) => (text === null ? [] : [{ rowId, text }]));
    return { items, last: rows.at(-1)?.rowId };
  },

  countSome: async (search: SealedSearch, slice: Slice): Promise<Batch<number>> => {
    const { rows } = await sql<{ count: number; last: string | null }>`
      select count(case when ${isMatch(search)} then 1 end) as count, max(row_id) as last
      from (${selectSlice(search, slice)}) as slice`.execute(database);
    return { items: Number(rows[0]?.count ?? 0), last: rows[0]?.last ?? undefined };
  },

  /**
   * Replaces a ciphertext in an encrypted column if it is unchanged since it was read. Returns true if it was
   * unchanged.
   */
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
