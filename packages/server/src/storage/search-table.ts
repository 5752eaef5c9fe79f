import { sql } from 'kysely';
import { byteOrderOf } from './dialect.js';
import type { AuditEventRow, Database, ExecutionRow, FailedRequestRow } from './schema.js';
import { LAST_CHARACTER } from './search-key.js';

/**
 * First and last id of a range. Both have the same length, because databases with different collations then compare ids
 * in the same way.
 */
export interface IdRange {
  readonly from: string;
  readonly to: string;
}

/** Range of execution ids, with the start times that the ids contain (milliseconds since 1970). */
export interface ExecutionIdRange extends IdRange {
  readonly since: number;
  readonly until: number;
}

export interface FoundUser {
  readonly applicationId: string;
  readonly identifier: string;
}

/** Object that the operators' search has found by its id. */
export interface FoundRow extends Partial<FoundUser> {
  readonly applicationId: string;
  readonly id: string;
  /** Name of the object, such as the name of a tool, client or connection. */
  readonly name: string;
  readonly state?: string | null;
  readonly createdAt: number;
}

/** Tables that contain users: those with connected accounts, and those whom calls, tokens and grants named. */
const USER_TABLES = ['accounts', 'named_users'] as const;
type UserTable = (typeof USER_TABLES)[number];

const IDENTIFIED = ['applicationId', 'id', 'createdAt'] as const;

/** Escapes a text for the SQL operator `like`, so that it contains no wildcards. */
const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** Queries for the operators' search. They read data of all applications, so only operators may use them. */
export function searchTable(database: Database) {
  const key = byteOrderOf(database)('identifier_key');

  return {
    executionsOfRequest: ({ from, to }: IdRange, limit: number): Promise<ExecutionRow[]> =>
      database
        .selectFrom('executions')
        .selectAll()
        .where('requestId', '>=', from)
        .where('requestId', '<=', to)
        .limit(limit)
        .execute(),

    failedRequests: ({ from, to }: IdRange, limit: number): Promise<FailedRequestRow[]> =>
      database
        .selectFrom('failedRequests')
        .selectAll()
        .where('requestId', '>=', from)
        .where('requestId', '<=', to)
        .limit(limit)
        .execute(),

    /** Lists failed requests that named an object in the range of ids, as their first or second object. */
    failedRequestsOf: async ({ from, to }: IdRange, limit: number): Promise<readonly FailedRequestRow[]> => {
      const lists = await Promise.all(
        (['object', 'otherObject'] as const).map((column) =>
          database
            .selectFrom('failedRequests')
            .selectAll()
            .where(column, '>=', from)
            .where(column, '<=', to)
            .limit(limit)
            .execute(),
        ),
      );
      return [...new Map(lists.flat().map((row) => [row.requestId, row])).values()];
    },

    /**
     * Finds executions by a range of ids. The query also uses the start times that the ids contain, because SQLite has
     * no index of the ids alone.
     */
    executionsById: ({ from, to, since, until }: ExecutionIdRange, limit: number): Promise<ExecutionRow[]> =>
      database
        .selectFrom('applications')
        // Joins with `cross join`, because SQLite then reads the tables in this order. Otherwise it would scan the
        // executions.
        .crossJoin('executions')
        .selectAll('executions')
        .whereRef('executions.applicationId', '=', 'applications.id')
        .where('executions.startedAt', '>=', since)
        .where('executions.startedAt', '<=', until)
        .where('executions.id', '>=', from)
        .where('executions.id', '<=', to)
        .limit(limit)
        .execute(),

    eventsOfRequest: ({ from, to }: IdRange, limit: number): Promise<AuditEventRow[]> =>
      database
        .selectFrom('auditEvents')
        .selectAll()
        .where('requestId', '>=', from)
        .where('requestId', '<=', to)
        .limit(limit)
        .execute(),

    eventsById: ({ from, to }: IdRange, limit: number): Promise<AuditEventRow[]> =>
      database
        .selectFrom('auditEvents')
        .selectAll()
        .where('id', '>=', from)
        .where('id', '<=', to)
        .limit(limit)
        .execute(),

    accountsById: ({ from, to }: IdRange, limit: number): Promise<FoundRow[]> =>
      database
        .selectFrom('accounts')
        .select([...IDENTIFIED, 'identifier', 'identifier as name', 'status as state'])
        .where('id', '>=', from)
        .where('id', '<=', to)
        .limit(limit)
        .execute(),

    approvalsById: ({ from, to }: IdRange, limit: number): Promise<FoundRow[]> =>
      database
        .selectFrom('callApprovals')
        .select([...IDENTIFIED, 'toolName as name', 'status as state'])
        .where('id', '>=', from)
        .where('id', '<=', to)
        .limit(limit)
        .execute(),

    connectionsById: ({ from, to }: IdRange, limit: number): Promise<FoundRow[]> =>
      database
        .selectFrom('connections')
        .select([...IDENTIFIED, 'name', 'statusReason as state'])
        .where('id', '>=', from)
        .where('id', '<=', to)
        .limit(limit)
        .execute(),

    grantsById: ({ from, to }: IdRange, limit: number): Promise<FoundRow[]> =>
      database
        .selectFrom('agentGrants')
        .select([...IDENTIFIED, 'identifier', 'clientName as name'])
        .where('id', '>=', from)
        .where('id', '<=', to)
        .limit(limit)
        .execute(),

    tokensById: ({ from, to }: IdRange, limit: number): Promise<FoundRow[]> =>
      database
        .selectFrom('narrowedTokens')
        .select([...IDENTIFIED, 'identifier', 'kind as name'])
        .where('id', '>=', from)
        .where('id', '<=', to)
        .limit(limit)
        .execute(),

    endpointsById: ({ from, to }: IdRange, limit: number): Promise<FoundRow[]> =>
      database
        .selectFrom('webhookEndpoints')
        .select([...IDENTIFIED, 'url as name', 'disabledReason as state'])
        .where('id', '>=', from)
        .where('id', '<=', to)
        .limit(limit)
        .execute(),

    /**
     * Finds events by a range of ids. The query joins all applications, because every index with the event id begins
     * with the application id.
     */
    webhookEventsById: ({ from, to }: IdRange, limit: number): Promise<FoundRow[]> =>
      database
        .selectFrom('applications')
        .crossJoin('events')
        .select(['events.applicationId', 'events.id', 'events.type as name', 'events.at as createdAt'])
        .whereRef('events.applicationId', '=', 'applications.id')
        .where('events.id', '>=', from)
        .where('events.id', '<=', to)
        .limit(limit)
        .execute(),

    deliveriesById: ({ from, to }: IdRange, limit: number): Promise<FoundRow[]> =>
      database
        .selectFrom('eventDeliveries')
        .select([...IDENTIFIED, 'type as name', 'state'])
        .where('id', '>=', from)
        .where('id', '<=', to)
        .limit(limit)
        .execute(),

    /**
     * Lists users whose identifier, in lower case, begins with `prefix`. A user with several accounts occurs once for
     * each account.
     */
    usersByPrefix: async (prefix: string, limit: number): Promise<readonly FoundUser[]> => {
      const find = (table: UserTable) =>
        sql<FoundUser>`select application_id, identifier from ${sql.table(table)}
        where ${key} >= ${prefix} and ${key} < ${prefix + LAST_CHARACTER}
        order by ${key} limit ${limit}`.execute(database);
      return (await Promise.all(USER_TABLES.map(find))).flatMap(({ rows }) => rows);
    },

    /**
     * Lists users whose identifier, in lower case, contains `part`. Reads at most `most` rows of each table, in the
     * order of identifiers, because no index finds text inside an identifier.
     */
    usersByPart: async (
      part: string,
      { most, limit }: { readonly most: number; readonly limit: number },
    ): Promise<readonly FoundUser[]> => {
      const find = (table: UserTable) =>
        sql<FoundUser>`select application_id, identifier from
        (select identifier_key, application_id, identifier from ${sql.table(table)} order by ${key} limit ${most}) as slice
        where identifier_key like ${`%${escapeLike(part)}%`} escape '\\' limit ${limit}`.execute(database);
      return (await Promise.all(USER_TABLES.map(find))).flatMap(({ rows }) => rows);
    },

    /** Returns true if a table contains more users than one search for a part of an identifier reads. */
    hasMoreUsers: async (most: number): Promise<boolean> => {
      const find = (table: UserTable) =>
        sql`select 1 from
        (select identifier_key from ${sql.table(table)} order by ${key} limit 1 offset ${most}) as slice`.execute(
          database,
        );
      return (await Promise.all(USER_TABLES.map(find))).some(({ rows }) => rows.length > 0);
    },
  };
}
