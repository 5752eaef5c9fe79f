import { sql } from 'kysely';
import type { RowCount } from '../page.js';
import { countRows } from './count-rows.js';
import { byteOrderOf } from './dialect.js';
import type { AccountRow, AccountStatus, ConnectionRow, Database } from './schema.js';
import { unindexed } from './select-accounts.js';

/** Number of accounts of one connection with one status. */
export interface AccountCount {
  readonly connector: string;
  readonly status: AccountStatus;
  readonly count: number;
}

/** Position of an account when accounts are sorted by connection, status, user identifier and id. */
export type AccountPosition = Pick<
  AccountRow,
  'applicationId' | 'connectionId' | 'status' | 'identifier' | 'id'
>;

/** Number of accounts of one connection whose last token refresh failed, with the earliest start and a reason. */
export interface RefreshFailures {
  readonly connectionId: string;
  readonly count: number;
  /** Time of the earliest failed token refresh of these accounts, in milliseconds since 1970. */
  readonly since: number;
  readonly reason: string;
}

/**
 * Counts of the accounts in one slice. `last`: last counted account, after which the next slice begins. `undefined`
 * after the last slice.
 */
export interface AccountSlice {
  readonly counts: readonly AccountCount[];
  readonly last: AccountPosition | undefined;
}

/** Queries that count accounts. Each reads a limited number of rows, so that it stays cheap. */
export function accountCountsTable(database: Database) {
  const byteOrder = byteOrderOf(database);

  return {
    /**
     * Counts the accounts of a connection by status. Each count stops at `most`, so that it stays cheap for a large
     * connection.
     */
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

    /**
     * Counts the authorized accounts of a connection whose secrets are not tested: neither a test nor a call has
     * succeeded with them.
     */
    countUntested: ({ applicationId, id }: Pick<ConnectionRow, 'applicationId' | 'id'>): Promise<RowCount> =>
      countRows(
        database,
        database
          .selectFrom('accounts')
          .select('id')
          .where('applicationId', '=', applicationId)
          .where('connectionId', '=', id)
          .where('untestedSince', 'is not', null)
          .where(unindexed('status'), '=', 'authorized'),
      ),

    /**
     * Counts up to `limit` accounts of all applications by connection and status, beginning after the account `after`.
     * Reads only indexes.
     */
    countSlice: async (after: AccountPosition | undefined, limit: number): Promise<AccountSlice> => {
      const {
        applicationId = '',
        connectionId = '',
        status = '',
        identifier: name = '',
        id = '',
      } = after ?? {};
      const order = sql`accounts.application_id, accounts.connection_id, accounts.status, ${byteOrder('accounts.identifier')}, accounts.id`;
      const following = sql`select accounts.application_id, accounts.connection_id, accounts.status, accounts.identifier, accounts.id
        from accounts where (${order}) > (${applicationId}, ${connectionId}, ${status}, ${name}, ${id}) order by ${order}`;
      const { rows: counts } = await sql<AccountCount>`
        select (select connector from connections where application_id = slice.application_id and id = connection_id)
          as connector, status, count(*) as count
        from (${following} limit ${limit}) as slice group by application_id, connection_id, status`.execute(
        database,
      );
      const { rows } = await sql<AccountPosition>`${following} limit 1 offset ${limit - 1}`.execute(database);
      return { counts: counts.map((found) => ({ ...found, count: Number(found.count) })), last: rows[0] };
    },

    /**
     * Counts, for each connection, the accounts whose last token refresh failed at `from` (milliseconds since 1970) or
     * later. Reads at most `most` accounts.
     */
    countRefreshFailures: async (
      applicationId: string,
      { from, most }: { readonly from: number; readonly most: number },
    ): Promise<readonly RefreshFailures[]> => {
      const { rows } = await sql<RefreshFailures>`
        select connection_id, count(*) as count, min(refresh_failing_since) as since, max(refresh_failure) as reason
        from (select connection_id, refresh_failing_since, refresh_failure from accounts
          where application_id = ${applicationId} and refresh_failed_at is not null and refresh_failed_at >= ${from}
          limit ${most}) as found
        group by connection_id`.execute(database);
      return rows.map((row) => ({ ...row, count: Number(row.count), since: Number(row.since) }));
    },

    /**
     * Lists applications with accounts whose last token refresh failed at `from` (milliseconds since 1970) or later.
     * Reads at most `most` accounts.
     */
    applicationsOfRefreshFailures: async (from: number, most: number): Promise<readonly string[]> => {
      const { rows } = await sql<{ applicationId: string }>`
        select distinct application_id from (select application_id from accounts
          where refresh_failed_at is not null and refresh_failed_at >= ${from} limit ${most}) as found`.execute(
        database,
      );
      return rows.map(({ applicationId }) => applicationId);
    },
  };
}
