import { ServiceError } from '../errors.js';
import type { RowCount } from '../page.js';
import { sumCounts, toRowCount } from '../storage/count-rows.js';
import type {
  ExecutionPage,
  ExecutionQuery,
  ExecutionSelection,
  UnindexedFilter,
} from '../storage/executions-table.js';
import type { ExecutionRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import { compareBy, mergePages } from './merge-pages.js';

/** Filters of the lists and the statistics of executions. */
export interface ExecutionFacts extends UnindexedFilter {
  readonly accountId?: string | undefined;
  /** Identifier of the user whose executions are listed, with all of the user's accounts. */
  readonly identifier?: string | undefined;
  /** Id of the request to the service that caused the listed executions. */
  readonly requestId?: string | undefined;
}

interface ExecutionConditions extends ExecutionSelection, ExecutionFacts {}

export interface ExecutionSearch extends ExecutionQuery, ExecutionFacts {}

/** Maximum number of a user's accounts whose executions are merged into one list. */
const MAX_ACCOUNTS = 100;
const MAX_PER_REQUEST = 1000;

type Tables = Pick<Storage, 'accounts' | 'executions'>;
const compareOf = ({ oldestFirst = false }: ExecutionQuery) =>
  compareBy('startedAt', { isNewestFirst: !oldestFirst });

async function accountIdsOf(
  { accounts }: Pick<Storage, 'accounts'>,
  applicationId: string,
  { identifier = '', accountId }: ExecutionConditions,
): Promise<readonly string[]> {
  const known = await accounts.listOfUser(applicationId, identifier, MAX_ACCOUNTS + 1);
  if (known.length > MAX_ACCOUNTS)
    throw new ServiceError(
      'invalid_request',
      `This user has more than ${MAX_ACCOUNTS} accounts. Filter by "accountId" instead of "identifier".`,
    );
  return known.map(({ id }) => id).filter((id) => accountId === undefined || id === accountId);
}

async function findOfRequest(
  { accounts, executions }: Tables,
  applicationId: string,
  { requestId = '', ...query }: ExecutionSearch,
): Promise<ExecutionPage> {
  const { accountId, identifier, since = 0, until = Number.POSITIVE_INFINITY, after, limit } = query;
  const isByAccount = accountId !== undefined || identifier !== undefined;
  const ids = identifier === undefined ? [accountId] : await accountIdsOf({ accounts }, applicationId, query);
  const isOf = (row: ExecutionRow) =>
    row.accountId === null
      ? row.identifier === identifier && accountId === undefined
      : ids.includes(row.accountId);
  const compare = compareOf(query);
  const found = await executions.listOfRequest(applicationId, {
    ...query,
    requestId,
    limit: MAX_PER_REQUEST,
  });
  const rows = found
    .filter(({ startedAt }) => startedAt >= since && startedAt < until)
    .filter((row) => !isByAccount || isOf(row))
    .filter((row) => after === undefined || compare(row, after) > 0)
    .sort(compare);
  return { rows: rows.slice(0, limit) };
}

/** Returns one query for each account of the user, and one for calls that named the user but found no account. */
async function queriesOf<Query extends ExecutionConditions>(
  tables: Tables,
  applicationId: string,
  query: Query,
): Promise<readonly (Query & { readonly namedUser?: string | undefined })[]> {
  if (query.identifier === undefined) return [query];
  const ids = await accountIdsOf(tables, applicationId, query);
  const queries = ids.map((accountId) => ({ ...query, accountId }));
  return query.accountId === undefined ? [...queries, { ...query, namedUser: query.identifier }] : queries;
}

/**
 * Lists executions of an application. Indexes find the executions of a request, a user or an account. Other filters
 * search a bounded number of executions.
 */
export async function findExecutions(
  tables: Tables,
  applicationId: string,
  query: ExecutionSearch,
): Promise<ExecutionPage> {
  if (query.requestId !== undefined) return findOfRequest(tables, applicationId, query);
  const queries = await queriesOf(tables, applicationId, query);
  const pages = queries.map((one) => tables.executions.list(applicationId, one));
  return mergePages(await Promise.all(pages), compareOf(query), query.limit);
}

/** Counts the executions that `findExecutions` lists. */
export async function countExecutions(
  tables: Tables,
  applicationId: string,
  query: ExecutionConditions,
): Promise<RowCount> {
  if (query.requestId !== undefined) {
    const { rows } = await findOfRequest(tables, applicationId, { ...query, limit: MAX_PER_REQUEST });
    return toRowCount(rows.length, rows.length === MAX_PER_REQUEST);
  }
  const queries = await queriesOf(tables, applicationId, query);
  return sumCounts(
    await Promise.all(queries.map((one) => tables.executions.countListed(applicationId, one))),
  );
}
