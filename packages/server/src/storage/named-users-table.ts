import type { Database, NamedUserRow } from './schema.js';
import { searchKeyOf } from './search-key.js';

export type NamedUser = Omit<NamedUserRow, 'identifierKey'>;

const byKey = (one: NamedUser, other: NamedUser): number => (keyOf(one) < keyOf(other) ? -1 : 1);
const keyOf = ({ applicationId, identifier }: NamedUser): string =>
  JSON.stringify([applicationId, identifier]);

/**
 * Queries of the users whom calls, tokens and grants have named, so that the operators' search finds users without an
 * account too.
 */
export const namedUsersTable = (database: Database) => ({
  /**
   * Stores users with the time when they were last named. Sorts the rows, because two PostgreSQL transactions that lock
   * rows in different orders can deadlock.
   */
  add: async (users: readonly NamedUser[]): Promise<void> => {
    const rows = [...new Map(users.map((user) => [keyOf(user), user])).values()].sort(byKey);
    if (rows.length === 0) return;
    await database
      .insertInto('namedUsers')
      .values(rows.map((user) => ({ ...user, identifierKey: searchKeyOf(user.identifier) })))
      .onConflict((conflict) =>
        conflict
          .columns(['applicationId', 'identifier'])
          .doUpdateSet(({ ref }) => ({ seenAt: ref('excluded.seenAt') }))
          .whereRef('namedUsers.seenAt', '<', 'excluded.seenAt'),
      )
      .execute();
  },
});
