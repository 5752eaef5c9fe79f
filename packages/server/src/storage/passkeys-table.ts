import type { Database } from './database.js';
import type { AnsweredChallengeRow, OperatorPasskeyRow } from './operator-rows.js';

export const passkeysTable = (database: Database) => ({
  listOf: (operatorId: string): Promise<OperatorPasskeyRow[]> =>
    database
      .selectFrom('operatorPasskeys')
      .selectAll()
      .where('operatorId', '=', operatorId)
      .orderBy('createdAt')
      .orderBy('id')
      .execute(),

  findByCredential: (credentialId: string): Promise<OperatorPasskeyRow | undefined> =>
    database
      .selectFrom('operatorPasskeys')
      .selectAll()
      .where('credentialId', '=', credentialId)
      .executeTakeFirst(),

  /** Whether nobody has that credential yet. */
  insert: async (passkey: OperatorPasskeyRow): Promise<boolean> => {
    const { numInsertedOrUpdatedRows } = await database
      .insertInto('operatorPasskeys')
      .values(passkey)
      .onConflict((conflict) => conflict.column('credentialId').doNothing())
      .executeTakeFirst();
    return (numInsertedOrUpdatedRows ?? 0n) > 0n;
  },

  /** Whether it counts on from the last use; an authenticator that does not count says 0 always. */
  use: async (id: string, { counter, usedAt }: { counter: number; usedAt: number }): Promise<boolean> => {
    const { numUpdatedRows } = await database
      .updateTable('operatorPasskeys')
      .set({ counter, usedAt })
      .where('id', '=', id)
      .where((each) => each.or([each('counter', '<', counter), each('counter', '=', counter === 0 ? 0 : -1)]))
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  },

  /** The passkey, if the operator has it. */
  delete: (operatorId: string, id: string): Promise<OperatorPasskeyRow | undefined> =>
    database
      .deleteFrom('operatorPasskeys')
      .where('id', '=', id)
      .where('operatorId', '=', operatorId)
      .returningAll()
      .executeTakeFirst(),

  deleteOf: async (operatorId: string): Promise<void> => {
    await database.deleteFrom('operatorPasskeys').where('operatorId', '=', operatorId).execute();
  },

  /** Whether this is the first answer to the challenge. */
  answer: async (challenge: AnsweredChallengeRow): Promise<boolean> => {
    const { numInsertedOrUpdatedRows } = await database
      .insertInto('answeredChallenges')
      .values(challenge)
      .onConflict((conflict) => conflict.column('digest').doNothing())
      .executeTakeFirst();
    return (numInsertedOrUpdatedRows ?? 0n) > 0n;
  },
});
