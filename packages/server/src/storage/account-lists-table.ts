import { type RawBuilder, sql } from 'kysely';
import { type Account, selectAccounts } from './accounts-table.js';
import type { Database } from './database.js';
import { kindOf } from './kind-of.js';
import type { AccountRow, AccountStatus, ConnectionRow } from './schema.js';

export interface AccountQuery {
  readonly connectionId?: string | undefined;
  readonly status?: AccountStatus | undefined;
  /** What their identifiers begin with. */
  readonly prefix?: string | undefined;
  /** Those that come after this one. */
  readonly after?: Pick<AccountRow, 'identifier' | 'id'> | undefined;
  readonly limit: number;
}

const LAST_CHARACTER = '\u{10ffff}';

/** Accounts by what they have in common. */
export const accountListsTable = (database: Database) => {
  // PostgreSQL has an order of its own language by default, in which what begins alike need not stand together.
  const identifier: RawBuilder<string> =
    kindOf(database) === 'sqlite' ? sql`accounts.identifier` : sql`accounts.identifier collate "C"`;

  return {
    /** In the order of the bytes of their identifiers. */
    list: (applicationId: string, query: AccountQuery): Promise<Account[]> => {
      const { connectionId, status, prefix, after, limit } = query;
      let select = selectAccounts(database, applicationId).orderBy(identifier).limit(limit);
      if (status !== undefined) select = select.where('accounts.status', '=', status);
      if (prefix !== undefined)
        select = select.where(identifier, '>=', prefix).where(identifier, '<', prefix + LAST_CHARACTER);
      if (connectionId !== undefined) {
        // Of one connection no two have the same identifier.
        if (after) select = select.where(identifier, '>', after.identifier);
        return select.where('accounts.connectionId', '=', connectionId).execute();
      }
      if (after)
        select = select.where(
          sql<boolean>`(${identifier}, accounts.id) > (${after.identifier}, ${after.id})`,
        );
      return select.orderBy('accounts.id').execute();
    },

    /** Of each status so many at most, which is as far as is counted. */
    countByStatus: async (
      { applicationId, id }: Pick<ConnectionRow, 'applicationId' | 'id'>,
      most: number,
    ): Promise<Readonly<Record<AccountStatus, number>>> => {
      const count = async (status: AccountStatus): Promise<number> => {
        const { rows } = await sql<{ count: number }>`select count(*) as count from (select 1 from accounts
          where application_id = ${applicationId} and connection_id = ${id} and status = ${status}
          limit ${most}) as found`.execute(database);
        return Number(rows[0]?.count ?? 0);
      };
      return {
        unauthorized: await count('unauthorized'),
        pending_verification: await count('pending_verification'),
        authorized: await count('authorized'),
        reauthorization_required: await count('reauthorization_required'),
      };
    },
  };
};
