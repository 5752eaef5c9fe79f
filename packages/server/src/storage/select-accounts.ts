import { type RawBuilder, sql } from 'kysely';
import { byteOrderOf, dialectOf } from './dialect.js';
import type { AccountRow, AccountStatus, Database } from './schema.js';
import { LAST_CHARACTER } from './search-key.js';

export interface AccountFilter {
  readonly connectionId?: string | undefined;
  readonly status?: AccountStatus | undefined;
  /**
   * Selects by whether an account is authorized and not tested, which means that neither a test nor a call has
   * succeeded with its secrets. True lists only such accounts; false lists only others.
   */
  readonly notTested?: boolean | undefined;
  /**
   * Selects by whether an account is authorized and its token refresh fails. True lists only such accounts; false lists
   * only others.
   */
  readonly refreshFailing?: boolean | undefined;
  /** Prefix with which the user identifiers of the listed accounts must begin. */
  readonly prefix?: string | undefined;
  /** Identifier of the user whose accounts are listed. */
  readonly identifier?: string | undefined;
  /** Search terms (tags, metadata entries, label) that all listed accounts must have. */
  readonly terms?: readonly string[] | undefined;
}

export interface AccountQuery extends AccountFilter {
  /** If true, lists accounts in descending order. */
  readonly isDescending?: boolean | undefined;
  /** Pagination cursor: only accounts after this one are listed. */
  readonly after?: Pick<AccountRow, 'identifier' | 'id'> | undefined;
  readonly limit: number;
}

export const accountsWithConnections = (database: Database) =>
  database
    .selectFrom('accounts')
    .innerJoin('connections', (join) =>
      join
        .onRef('connections.id', '=', 'accounts.connectionId')
        .onRef('connections.applicationId', '=', 'accounts.applicationId'),
    );

export const selectAccounts = (database: Database, applicationId: string) =>
  accountsWithConnections(database)
    .selectAll('accounts')
    .select([
      'connections.name as connectionName',
      'connections.connector',
      'connections.baseUrl',
      'connections.region',
      'connections.hosts',
      'connections.approve',
      'connections.storeUpstreamErrors',
    ])
    .where('accounts.applicationId', '=', applicationId);

/** Columns that are set while a fact is true for an account. For each fact, a partial index contains the accounts. */
const FACT_COLUMNS = { notTested: 'untestedSince', refreshFailing: 'refreshFailedAt' } as const;

type Fact = keyof typeof FACT_COLUMNS;

const FACTS = Object.keys(FACT_COLUMNS) as readonly Fact[];

/**
 * Wraps a column in an expression that no index contains, so that the database uses the partial index of a fact
 * instead.
 */
export const unindexed = (column: 'connectionId' | 'status') =>
  sql<string>`(${sql.ref(`accounts.${column}`)} || '')`;

const hasTerm = (applicationId: string, term: string) =>
  sql<boolean>`exists (select 1 from account_terms
    where application_id = ${applicationId} and account_id = accounts.id and term = ${term})`;

/** Creates the function that selects accounts by a filter, sorted by the bytes of their user identifiers. */
export function createListAccounts(database: Database) {
  const byteOrder = byteOrderOf(database);

  // Condition on the status. SQLite has no statistics here, so it would choose the index of all user identifiers and
  // read every account with the searched prefix. `unlikely` makes it choose the index by status.
  const hasStatus = (status: AccountStatus | undefined) =>
    dialectOf(database) === 'sqlite'
      ? sql<boolean>`unlikely(accounts.status = ${status})`
      : sql<boolean>`accounts.status = ${status}`;

  const hasFact = (fact: Fact, isTrue: boolean) => {
    const column = sql.ref(`accounts.${FACT_COLUMNS[fact]}`);
    return isTrue
      ? sql<boolean>`(${column} is not null and ${unindexed('status')} = 'authorized')`
      : sql<boolean>`(${column} is null or ${unindexed('status')} <> 'authorized')`;
  };

  /**
   * Returns the SQL conditions on the columns of accounts. If the filter contains a fact, its partial index finds the
   * accounts.
   */
  function conditionsOf({ status, connectionId, ...filter }: AccountFilter): readonly RawBuilder<boolean>[] {
    const hasPartialIndex = FACTS.some((fact) => filter[fact]);
    const facts = FACTS.map((fact) => (filter[fact] === undefined ? undefined : hasFact(fact, filter[fact])));
    const ofStatus = hasPartialIndex ? sql<boolean>`${unindexed('status')} = ${status}` : hasStatus(status);
    const connection = hasPartialIndex ? unindexed('connectionId') : sql.ref('accounts.connectionId');
    return [
      ...facts,
      status === undefined ? undefined : ofStatus,
      connectionId === undefined ? undefined : sql<boolean>`${connection} = ${connectionId}`,
    ].filter((condition) => condition !== undefined);
  }

  return function listAccounts(applicationId: string, query: Omit<AccountQuery, 'limit'>) {
    const { prefix, terms = [], after, isDescending = false } = query;
    const order = isDescending ? 'desc' : 'asc';
    const [first, ...others] = terms;
    // Sorts by the identifiers in the table of search terms if the list is filtered by a tag, a metadata entry or the
    // label. An index of that table contains the identifiers of each term in order.
    const [identifier, id] =
      first === undefined
        ? [byteOrder('accounts.identifier'), sql<string>`accounts.id`]
        : [byteOrder('listed.identifier'), sql<string>`listed.account_id`];
    let select = selectAccounts(database, applicationId)
      .$if(first !== undefined, (accounts) =>
        accounts
          .innerJoin('accountTerms as listed', (join) =>
            join
              .onRef('listed.accountId', '=', 'accounts.id')
              .onRef('listed.applicationId', '=', 'accounts.applicationId'),
          )
          .where('listed.applicationId', '=', applicationId)
          .where('listed.term', '=', first ?? ''),
      )
      .orderBy(identifier, order);
    for (const term of others) select = select.where(hasTerm(applicationId, term));
    for (const condition of conditionsOf(query)) select = select.where(condition);
    if (prefix !== undefined)
      select = select.where(identifier, '>=', prefix).where(identifier, '<', prefix + LAST_CHARACTER);
    if (query.identifier !== undefined) select = select.where(identifier, '=', query.identifier);
    const follows = sql.raw(isDescending ? '<' : '>');
    if (after)
      select = select.where(
        sql<boolean>`(${identifier}, ${id}) ${follows} (${after.identifier}, ${after.id})`,
      );
    return select.orderBy(id, order);
  };
}
