import { type NotNull, sql } from 'kysely';
import { deletes, updates } from './affected-rows.js';
import { dialectOf } from './dialect.js';
import type { Database } from './schema.js';
import type { WatchRow, WatchState } from './watch-rows.js';

/**
 * Watch (a list at an upstream that the service polls), with the user identifier, the label and the connection name of
 * its account.
 */
export interface WatchOf extends WatchRow {
  readonly identifier: string;
  /** Label of the watch's account; empty if the account has no label. */
  readonly account: string;
  readonly connectionName: string;
}

export type WatchKey = Pick<WatchRow, 'applicationId' | 'id'>;

/**
 * Key of a watch that this instance has claimed (leased) for a poll. If another instance claims the watch, a write with
 * this key changes nothing.
 */
export type WatchClaim = Pick<WatchRow, 'applicationId' | 'id' | 'claim'>;

export type WatchChange = Partial<
  Pick<
    WatchRow,
    | 'every'
    | 'enabled'
    | 'state'
    | 'reason'
    | 'cursor'
    | 'walk'
    | 'failures'
    | 'nextAt'
    | 'claim'
    | 'startedAt'
    | 'polledAt'
    | 'updatedAt'
  >
>;

/** Watch with the state `failed`, which the service no longer polls, with the reason and the user of its account. */
export interface FailedWatch
  extends Pick<WatchOf, 'applicationId' | 'id' | 'accountId' | 'toolName' | 'identifier'> {
  readonly reason: string;
}

/** Number of enabled watches (lists that the service polls) in one state. */
export interface WatchCount {
  readonly state: WatchState;
  readonly count: number;
}

export interface WatchQuery {
  readonly accountId?: string | undefined;
  /** Pagination cursor: only watches created before this one are listed. */
  readonly before?: Pick<WatchRow, 'createdAt' | 'id'> | undefined;
  readonly limit: number;
}

const joinAccounts = (database: Database) =>
  database
    .selectFrom('watches')
    .innerJoin('accounts', (join) =>
      join
        .onRef('accounts.applicationId', '=', 'watches.applicationId')
        .onRef('accounts.id', '=', 'watches.accountId'),
    )
    .innerJoin('connections', (join) =>
      join
        .onRef('connections.applicationId', '=', 'accounts.applicationId')
        .onRef('connections.id', '=', 'accounts.connectionId'),
    );

const selectWatches = (database: Database) =>
  joinAccounts(database)
    .selectAll('watches')
    .select(['accounts.identifier', 'accounts.account', 'connections.name as connectionName']);

export const watchesTable = (database: Database) => {
  const isPostgres = dialectOf(database) === 'postgres';

  const updateOne = ({ applicationId, id }: WatchKey, change: WatchChange) =>
    database
      .updateTable('watches')
      .set(change)
      .where('applicationId', '=', applicationId)
      .where('id', '=', id);

  return {
    insert: async (row: WatchRow): Promise<void> => {
      await database.insertInto('watches').values(row).execute();
    },

    find: (applicationId: string, id: string): Promise<WatchOf | undefined> =>
      selectWatches(database)
        .where('watches.applicationId', '=', applicationId)
        .where('watches.id', '=', id)
        .executeTakeFirst(),

    findByKey: (applicationId: string, watchKey: string): Promise<WatchOf | undefined> =>
      selectWatches(database)
        .where('watches.applicationId', '=', applicationId)
        .where('watches.watchKey', '=', watchKey)
        .executeTakeFirst(),

    /** Lists the watches of an application, newest first. */
    list: (applicationId: string, { accountId, before, limit }: WatchQuery): Promise<WatchOf[]> => {
      let select = selectWatches(database).where('watches.applicationId', '=', applicationId);
      if (accountId !== undefined) select = select.where('watches.accountId', '=', accountId);
      if (before !== undefined)
        select = select.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('watches.createdAt', 'watches.id'), '<', tuple(before.createdAt, before.id)),
        );
      return select.orderBy('watches.createdAt', 'desc').orderBy('watches.id', 'desc').limit(limit).execute();
    },

    /** Lists the failed watches of one application, or of all applications. */
    listFailed: ({
      applicationId,
      limit,
    }: {
      readonly applicationId: string | undefined;
      readonly limit: number;
    }): Promise<FailedWatch[]> => {
      let select = joinAccounts(database)
        .select(['watches.applicationId', 'watches.id', 'watches.accountId', 'watches.toolName'])
        .select(['watches.reason', 'accounts.identifier'])
        .where('watches.enabled', '=', 1)
        .where('watches.state', '=', 'failed')
        .where('watches.reason', 'is not', null)
        .$narrowType<{ reason: NotNull }>();
      if (applicationId !== undefined) select = select.where('watches.applicationId', '=', applicationId);
      return select.orderBy('watches.applicationId').orderBy('watches.id').limit(limit).execute();
    },

    /** Returns the number of an application's watches, and the number of those that belong to one account. */
    count: async (
      applicationId: string,
      accountId: string,
    ): Promise<{ readonly all: number; readonly ofAccount: number }> => {
      const count = async (filter: { readonly accountId?: string }): Promise<number> => {
        let select = database
          .selectFrom('watches')
          .select(({ fn }) => fn.countAll().as('count'))
          .where('applicationId', '=', applicationId);
        if (filter.accountId !== undefined) select = select.where('accountId', '=', filter.accountId);
        return Number((await select.executeTakeFirstOrThrow()).count);
      };
      return { all: await count({}), ofAccount: await count({ accountId }) };
    },

    /**
     * Counts the enabled watches (polled lists) of all applications by state, beginning with the failed and paused
     * ones. Counts at most `most` watches in total.
     */
    countStates: async (most: number): Promise<readonly WatchCount[]> => {
      const { rows } = await sql<WatchCount>`select state, count(*) as count
        from (select state from watches where enabled = 1 order by state limit ${most}) as slice
        group by state`.execute(database);
      return rows.map(({ state, count }) => ({ state, count: Number(count) }));
    },

    /** Locks a watch until the transaction ends. */
    lock: async ({ applicationId, id }: WatchKey): Promise<void> => {
      const select = database
        .selectFrom('watches')
        .select('id')
        .where('applicationId', '=', applicationId)
        .where('id', '=', id);
      await (isPostgres ? select.forNoKeyUpdate() : select).execute();
    },

    change: (key: WatchKey, change: WatchChange): Promise<boolean> => updates(updateOne(key, change)),

    /**
     * Changes a watch that this instance has claimed (leased) for a poll. Returns false if the instance no longer holds
     * the claim.
     */
    changeClaimed: ({ claim, ...key }: WatchClaim, change: WatchChange): Promise<boolean> =>
      updates(updateOne(key, change).where('claim', '=', claim)),

    delete: ({ applicationId, id }: WatchKey): Promise<boolean> =>
      deletes(database.deleteFrom('watches').where('applicationId', '=', applicationId).where('id', '=', id)),

    /**
     * Lists applications with watches whose next poll is due, sorted by application id. The recursive query needs only
     * one index entry to find the next application, however many watches an application has.
     */
    dueApplications: async ({
      now,
      after,
      limit,
    }: {
      readonly now: number;
      readonly after: string;
      readonly limit: number;
    }): Promise<readonly string[]> => {
      const { rows } = await sql<{ id: string }>`
        with recursive found (id) as (
          select min(application_id) from watches where next_at is not null and application_id > ${after}
          union all
          select (select min(application_id) from watches where next_at is not null and application_id > found.id)
          from found where found.id is not null
        )
        select id from found where id is not null and exists (select 1 from watches
          where application_id = found.id and next_at is not null and next_at <= ${now})
        limit ${limit}`.execute(database);
      return rows.map(({ id }) => id);
    },

    /**
     * Claims (leases) watches of an application whose next poll is due, until the time `until`. If this process is
     * killed, another instance can claim them afterwards.
     */
    claim: (
      applicationId: string,
      {
        now,
        until,
        claim,
        most,
      }: { readonly now: number; readonly until: number; readonly claim: string; readonly most: number },
    ): Promise<WatchRow[]> => {
      const due = database
        .selectFrom('watches')
        .select('id')
        .where('applicationId', '=', applicationId)
        .where('nextAt', 'is not', null)
        .where('nextAt', '<=', now)
        .orderBy('nextAt')
        .limit(most);
      return database
        .updateTable('watches')
        .set({ claim, nextAt: until })
        .where('applicationId', '=', applicationId)
        .where(({ eb }) =>
          // PostgreSQL evaluates an array once. It might evaluate `in` for each row, and then claim more than `most`.
          isPostgres ? sql<boolean>`id = any (array(${due.forUpdate().skipLocked()}))` : eb('id', 'in', due),
        )
        .returningAll()
        .execute();
    },

    /**
     * Ends all claims (leases) of watches, and makes these watches due. Called when a process starts that is the only
     * one, because the process that made the claims has ended.
     */
    releaseClaims: async (now: number): Promise<void> => {
      await database
        .updateTable('watches')
        .set({ claim: null, nextAt: now })
        .where('claim', 'is not', null)
        .execute();
    },
  };
};
