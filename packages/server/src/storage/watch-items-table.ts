import type { Database } from './schema.js';
import type { WatchItemRow } from './watch-rows.js';

/** Key of the watch whose stored items are read or changed. A watch is a list at an upstream that the service polls. */
export type OwnerOfItems = Pick<WatchItemRow, 'applicationId' | 'watchId'>;

/** Maximum number of rows in one statement, because both databases limit the number of parameters. */
const AT_ONCE = 500;

function* slices<Item>(all: readonly Item[]): Generator<readonly Item[]> {
  for (let from = 0; from < all.length; from += AT_ONCE) yield all.slice(from, from + AT_ONCE);
}

export const watchItemsTable = (database: Database) => {
  const selectOwn = ({ applicationId, watchId }: OwnerOfItems) =>
    database
      .selectFrom('watchItems')
      .where('applicationId', '=', applicationId)
      .where('watchId', '=', watchId);
  const deleteOwn = ({ applicationId, watchId }: OwnerOfItems) =>
    database
      .deleteFrom('watchItems')
      .where('applicationId', '=', applicationId)
      .where('watchId', '=', watchId);

  return {
    /** Returns the stored items of the watch that have one of these keys. */
    find: async (owner: OwnerOfItems, keys: readonly string[]): Promise<readonly WatchItemRow[]> => {
      const found: WatchItemRow[] = [];
      for (const slice of slices(keys))
        found.push(...(await selectOwn(owner).selectAll().where('itemKey', 'in', slice).execute()));
      return found;
    },

    /**
     * Counts the items of the watch. `since`: counts only items that last changed at this time (milliseconds since 1970)
     * or later. `walk`: counts only items that this reading of the complete list has found.
     */
    count: async (
      owner: OwnerOfItems,
      { since, walk }: { readonly since?: number; readonly walk?: number | undefined } = {},
    ): Promise<number> => {
      let select = selectOwn(owner);
      if (since !== undefined) select = select.where('at', '>=', since);
      if (walk !== undefined) select = select.where('walk', '=', walk);
      const { count } = await select.select(({ fn }) => fn.countAll().as('count')).executeTakeFirstOrThrow();
      return Number(count);
    },

    put: async (rows: readonly WatchItemRow[]): Promise<void> => {
      for (const slice of slices(rows))
        await database
          .insertInto('watchItems')
          .values(slice)
          .onConflict((conflict) =>
            conflict.columns(['applicationId', 'watchId', 'itemKey']).doUpdateSet(({ ref }) => ({
              version: ref('excluded.version'),
              at: ref('excluded.at'),
              walk: ref('excluded.walk'),
            })),
          )
          .execute();
    },

    delete: async (owner: OwnerOfItems, keys: readonly string[]): Promise<void> => {
      for (const slice of slices(keys)) await deleteOwn(owner).where('itemKey', 'in', slice).execute();
    },

    /**
     * Lists stored items that were missing when the complete list was last read, because they no longer exist at the
     * upstream. `walk`: sequence number of that reading.
     */
    listMissing: (
      owner: OwnerOfItems,
      { walk, most }: { readonly walk: number; readonly most: number },
    ): Promise<readonly WatchItemRow[]> =>
      selectOwn(owner).selectAll().where('walk', '<', walk).limit(most).execute(),

    /** Deletes items of the watch that last changed before the time `at` (milliseconds since 1970). */
    deleteBefore: async (owner: OwnerOfItems, at: number): Promise<void> => {
      await deleteOwn(owner).where('at', '<', at).execute();
    },

    /** Deletes at most `most` items of the watch. Returns true if more may be left. */
    deleteSome: async (owner: OwnerOfItems, most: number): Promise<boolean> => {
      const { numDeletedRows } = await deleteOwn(owner)
        .where('itemKey', 'in', selectOwn(owner).select('itemKey').limit(most))
        .executeTakeFirst();
      return numDeletedRows >= BigInt(most);
    },
  };
};
