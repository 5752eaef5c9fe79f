import { ServiceError } from '../errors.js';
import type { RowCount } from '../page.js';
import type { AuditCursor, AuditQuery, AuditSelection } from '../storage/audit-events-table.js';
import { sumCounts, toRowCount } from '../storage/count-rows.js';
import type { AuditEventRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import { compareBy, mergePages } from './merge-pages.js';

export type AuditTables = Pick<
  Storage,
  'accounts' | 'agentGrants' | 'auditEvents' | 'callApprovals' | 'narrowedTokens'
>;

interface AuditFacts {
  /** Identifier of the user whose accounts, grants, tokens and approvals the listed events changed. */
  readonly identifier?: string | undefined;
  readonly requestId?: string | undefined;
}

export interface AuditSearch extends AuditQuery, AuditFacts {}

type AuditConditions = AuditSelection & AuditFacts;

interface FoundEvents {
  readonly rows: readonly AuditEventRow[];
  /** Last event that the query read. Undefined if no more events can match. */
  readonly searchedTo?: AuditCursor | undefined;
}

/** Maximum number of a user's accounts whose events are merged into one list. */
const MAX_ACCOUNTS = 50;
const MAX_OTHERS = 20;
const MAX_PER_REQUEST = 1000;

const compareOf = ({ newestFirst = false }: AuditQuery) => compareBy('at', { isNewestFirst: newestFirst });

/** Returns the last event that a query may read. Undefined if it may read all events, because an index finds them. */
async function endOf({ auditEvents }: AuditTables, query: AuditSelection): Promise<AuditCursor | undefined> {
  const isFiltered = [query.action, query.actor, query.result].some((value) => value !== undefined);
  return isFiltered ? auditEvents.findEnd(query) : undefined;
}

async function findOne(tables: AuditTables, query: AuditQuery): Promise<FoundEvents> {
  const { auditEvents } = tables;
  const upTo = await endOf(tables, query);
  const rows = await auditEvents.list({ ...query, upTo });
  return { rows, searchedTo: rows.length < query.limit ? upTo : undefined };
}

/** Lists the ids of the newest approvals of some accounts. */
async function approvalsOf(
  { callApprovals }: AuditTables,
  applicationId: string,
  accounts: readonly { readonly id: string }[],
): Promise<readonly { readonly id: string }[]> {
  const query = { limit: Math.ceil(MAX_OTHERS / Math.max(1, accounts.length)) };
  const lists = accounts.map(({ id: accountId }) =>
    callApprovals.list(applicationId, { ...query, accountId }),
  );
  return (await Promise.all(lists)).flat();
}

/** Lists the ids of a user's accounts, and of the newest grants, tokens and approvals of the user. */
async function objectsOf(
  tables: AuditTables,
  { applicationId, identifier = '' }: AuditConditions,
): Promise<readonly string[]> {
  if (applicationId === undefined)
    throw new ServiceError(
      'invalid_request',
      'The filter "identifier" needs the application of the user. Send "applicationId" too.',
    );
  const { accounts, agentGrants, narrowedTokens } = tables;
  const newest = { identifier, limit: MAX_OTHERS };
  const own = await accounts.listOfUser(applicationId, identifier, MAX_ACCOUNTS);
  const others = await Promise.all([
    agentGrants.list(applicationId, newest),
    narrowedTokens.list(applicationId, { ...newest, kind: 'agent' }),
    narrowedTokens.list(applicationId, { ...newest, kind: 'account' }),
    approvalsOf(tables, applicationId, own),
  ]);
  return [...own, ...others.flat()].map(({ id }) => id);
}

interface Owned {
  readonly id: string;
  readonly identifier: string;
}

/**
 * Returns the identifier of the user to whom each changed object belongs, by object id. Objects without a user are
 * absent.
 */
export async function usersOfEvents(
  { accounts, agentGrants, callApprovals, narrowedTokens }: AuditTables,
  events: readonly AuditEventRow[],
): Promise<ReadonlyMap<string, string>> {
  const tables = [
    ['acct_', accounts],
    ['grant_', agentGrants],
    ['appr_', callApprovals],
    ['tok_', narrowedTokens],
  ] as const;
  const finds = [...Map.groupBy(events, (event) => event.applicationId)].flatMap(([applicationId, own]) =>
    tables.map(async ([prefix, table]): Promise<readonly Owned[]> => {
      const objects = own.map(({ object }) => object).filter((object) => object.startsWith(prefix));
      if (applicationId === null || objects.length === 0) return [];
      return table.usersOf(applicationId, [...new Set(objects)]);
    }),
  );
  return new Map((await Promise.all(finds)).flat().map(({ id, identifier }) => [id, identifier]));
}

/** Returns one query for each object of the user, or the query itself if it names no user. */
async function queriesOf<Query extends AuditConditions>(
  tables: AuditTables,
  query: Query,
): Promise<readonly Query[]> {
  if (query.identifier === undefined) return [query];
  const known = await objectsOf(tables, query);
  return known
    .filter((id) => query.object === undefined || id === query.object)
    .map((object) => ({ ...query, object }));
}

async function findOfRequest(tables: AuditTables, query: AuditSearch): Promise<FoundEvents> {
  const { requestId = '', identifier, applicationId, action, actor, result, after, limit } = query;
  const { since = 0, until = Number.POSITIVE_INFINITY } = query;
  const compare = compareOf(query);
  const objects = identifier === undefined ? undefined : await objectsOf(tables, query);
  const found = await tables.auditEvents.listOfRequest(requestId, MAX_PER_REQUEST);
  const rows = found
    .filter((row) => applicationId === undefined || row.applicationId === applicationId)
    .filter((row) => action === undefined || row.action === action)
    .filter((row) => actor === undefined || row.actor === actor)
    .filter((row) => result === undefined || row.result === result)
    .filter((row) => query.object === undefined || row.object === query.object)
    .filter((row) => objects === undefined || objects.includes(row.object))
    .filter(({ at }) => at >= since && at < until)
    .filter((row) => after === undefined || compare(row, after) > 0)
    .sort(compare);
  return { rows: rows.slice(0, limit) };
}

/**
 * Lists audit events. Indexes find the events of a request, a user or an object. Filters for action or actor search a
 * bounded number of events.
 */
export async function findEvents(tables: AuditTables, query: AuditSearch): Promise<FoundEvents> {
  if (query.requestId !== undefined) return findOfRequest(tables, query);
  const queries = await queriesOf(tables, query);
  const pages = await Promise.all(queries.map((one) => findOne(tables, one)));
  return mergePages(pages, compareOf(query), query.limit);
}

async function countOne(tables: AuditTables, query: AuditSelection): Promise<RowCount> {
  return tables.auditEvents.countListed({ ...query, upTo: await endOf(tables, query) });
}

/** Counts the audit events that `findEvents` lists. */
export async function countEvents(tables: AuditTables, query: AuditConditions): Promise<RowCount> {
  if (query.requestId !== undefined) {
    const { rows } = await findOfRequest(tables, { ...query, limit: MAX_PER_REQUEST });
    return toRowCount(rows.length, rows.length === MAX_PER_REQUEST);
  }
  const queries = await queriesOf(tables, query);
  return sumCounts(await Promise.all(queries.map((one) => countOne(tables, one))));
}
