import type { Database } from './database.js';
import type { OperatorRole, OperatorRow } from './operator-rows.js';

export const operatorsTable = (database: Database) => ({
  list: (): Promise<OperatorRow[]> => database.selectFrom('operators').selectAll().orderBy('name').execute(),

  find: (id: string): Promise<OperatorRow | undefined> =>
    database.selectFrom('operators').selectAll().where('id', '=', id).executeTakeFirst(),

  findByName: (name: string): Promise<OperatorRow | undefined> =>
    database.selectFrom('operators').selectAll().where('name', '=', name).executeTakeFirst(),

  isEmpty: async (): Promise<boolean> =>
    (await database.selectFrom('operators').select('id').limit(1).executeTakeFirst()) === undefined,

  /** Who has been an operator the longest of those who are owners now. */
  firstOwner: (): Promise<OperatorRow | undefined> =>
    database
      .selectFrom('operators')
      .selectAll()
      .where('role', '=', 'owner')
      .orderBy('createdAt')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst(),

  /** Whether the name was free. */
  insert: async (operator: OperatorRow): Promise<boolean> => {
    const { numInsertedOrUpdatedRows } = await database
      .insertInto('operators')
      .values(operator)
      .onConflict((conflict) => conflict.column('name').doNothing())
      .executeTakeFirst();
    return (numInsertedOrUpdatedRows ?? 0n) > 0n;
  },

  /** The operator, if there is one of that name. */
  setPassword: (name: string, passwordHash: string): Promise<OperatorRow | undefined> =>
    database
      .updateTable('operators')
      .set({ passwordHash })
      .where('name', '=', name)
      .returningAll()
      .executeTakeFirst(),

  /** The operator, if there is one of that name. */
  setRole: (name: string, role: OperatorRole): Promise<OperatorRow | undefined> =>
    database
      .updateTable('operators')
      .set({ role })
      .where('name', '=', name)
      .returningAll()
      .executeTakeFirst(),

  /** Makes this transaction the only one that changes the operator until it ends. The operator, unless it is gone. */
  hold: (id: string): Promise<OperatorRow | undefined> =>
    database
      .updateTable('operators')
      .set(({ ref }) => ({ id: ref('id') }))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst(),

  signedIn: async (id: string, signedInAt: number): Promise<void> => {
    await database.updateTable('operators').set({ signedInAt }).where('id', '=', id).execute();
  },

  /** The operator that was deleted, with its sessions; `undefined` when there was none of that name. */
  delete: (name: string): Promise<OperatorRow | undefined> =>
    database.deleteFrom('operators').where('name', '=', name).returningAll().executeTakeFirst(),
});
