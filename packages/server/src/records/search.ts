import { parseJson } from '@svc/catalog';
import type { AuditEventRow, ExecutionRow, FailedRequestRow } from '../storage/schema.js';
import { searchKeyOf } from '../storage/search-key.js';
import type { FoundRow, FoundUser, IdRange } from '../storage/search-table.js';
import type { Storage } from '../storage/storage.js';
import type { ExecutionCause, ExecutionLog } from './execution-log.js';
import { type FailedRequests, operationOf } from './failed-requests.js';

export const FOUND_KINDS = [
  'execution',
  'failedRequest',
  'auditEvent',
  'user',
  'account',
  'approval',
  'connection',
  'agentGrant',
  'token',
  'webhookEndpoint',
  'event',
  'delivery',
] as const;

export type FoundKind = (typeof FOUND_KINDS)[number];

/** Object or user that matches a search. */
export interface Found {
  /** Id of the object, or the identifier of the user. */
  readonly id: string;
  /** Application of the object; `null` for an audit event that concerns no application. */
  readonly applicationId: string | null;
  /** Name of the object, such as the tool of an execution. */
  readonly title: string;
  /** Outcome or status of the object, such as an error code. */
  readonly state?: string;
  /** Identifier of the user to whom the object belongs. */
  readonly identifier?: string;
  /** Time when the object was created, in ISO 8601. */
  readonly at?: string;
  /** HTTP status of a failed request. */
  readonly status?: number;
  /** Author of a failed request, such as `operator:ada`. */
  readonly actor?: string;
  /** Cause of a failed request. Absent if nothing more than its error code is known. */
  readonly cause?: ExecutionCause;
  /** Id of the execution that counts a refused call together with equal calls. */
  readonly executionId?: string;
  /** Ids of the objects that a failed request named. Absent if it named none. */
  readonly objects?: readonly string[];
}

export interface FoundGroup {
  readonly kind: FoundKind;
  readonly items: readonly Found[];
  readonly hasMore: boolean;
}

export interface SearchResult {
  readonly groups: readonly FoundGroup[];
  /**
   * Number of accounts that were searched for users whose identifier contains the text. Absent if all accounts were
   * searched.
   */
  readonly searchedAccounts?: number;
  /** Retention times in days, after which executions and audit events are deleted and can no longer be found. */
  readonly keptDays: { readonly executions: number; readonly audit: number };
}

interface SearchParts {
  readonly storage: Pick<Storage, 'search' | 'auditEvents'>;
  readonly executionLog: Pick<ExecutionLog, 'flush'>;
  readonly failedRequests: Pick<FailedRequests, 'flush'>;
  readonly keptDays: SearchResult['keptDays'];
}

const MAX_ITEMS = 10;
const LIMIT = MAX_ITEMS + 1;
/**
 * Maximum number of matching accounts that a search for users reads. It exceeds `MAX_ITEMS`, because several accounts
 * can belong to one user.
 */
const MAX_READ_ACCOUNTS = 200;
/** Maximum number of accounts whose identifiers are compared with a searched part of an identifier. */
export const MAX_SEARCHED_ACCOUNTS = 100_000;

// Matches an id or its first characters. Groups: prefix and random part.
const ID = /^(req|exec|audit|acct|appr|conn|grant|tok|ep|evt|dlv|sub|watch)_([!-~]{1,64})$/i;
const HEX = /^[0-9a-f]+$/;
const EXECUTION_TIME_DIGITS = 12;

interface SearchedId extends IdRange {
  readonly prefix: string;
  /** Hex digits of the id that the searched text contains. Empty if the text cannot be the beginning of an id. */
  readonly digits: string;
}

/**
 * Parses a searched id, or the beginning of one, to the range of ids that match. A text that cannot be an id of this
 * service, such as `req_X`, matches only itself.
 */
function readId(text: string): SearchedId | undefined {
  const [, given = '', rest = ''] = ID.exec(text) ?? [];
  if (given === '') return undefined;
  const [prefix, digits] = [given.toLowerCase(), rest.toLowerCase()];
  const length = prefix === 'exec' ? 32 : 24;
  const isBeginning = HEX.test(digits) && digits.length <= length;
  const end = (digit: string) => (isBeginning ? `${prefix}_${digits.padEnd(length, digit)}` : text);
  return { prefix, digits: isBeginning ? digits : '', from: end('0'), to: end('f') };
}

const timeOf = (digits: string, digit: string): number =>
  Number.parseInt(digits.slice(0, EXECUTION_TIME_DIGITS).padEnd(EXECUTION_TIME_DIGITS, digit), 16);

const toIso = (at: number): string => new Date(at).toISOString();

const ofExecution = (row: ExecutionRow): Found => ({
  id: row.id,
  applicationId: row.applicationId,
  title: operationOf(row),
  state: row.errorCode ?? String(row.status),
  at: toIso(row.startedAt),
});

const ofFailed = (row: FailedRequestRow): Found => ({
  id: row.requestId,
  applicationId: row.applicationId,
  title: row.operation,
  state: row.errorCode,
  at: toIso(row.at),
  status: row.status,
  actor: row.actor,
  // The cast is safe, because only upstream/execution-cause.ts writes this column.
  ...(row.cause !== null && { cause: parseJson(row.cause) as ExecutionCause }),
  ...(row.executionId !== null && { executionId: row.executionId }),
  ...(row.object !== null && { objects: [row.object, row.otherObject].filter((id) => id !== null) }),
});

const ofEvent = ({ id, applicationId, action, result, at }: AuditEventRow): Found => ({
  id,
  applicationId,
  title: action,
  state: result,
  at: toIso(at),
});

const ofRow = ({ id, applicationId, name, state, identifier, createdAt }: FoundRow): Found => ({
  id,
  applicationId,
  title: name,
  ...(state && { state }),
  ...(identifier !== undefined && { identifier }),
  at: toIso(createdAt),
});

const ofUser = ({ applicationId, identifier }: FoundUser): Found => ({
  id: identifier,
  applicationId,
  title: identifier,
  identifier,
});

function groupOf(kind: FoundKind, found: readonly Found[]): FoundGroup {
  const sorted = found.toSorted((one, other) => ((one.at ?? '') < (other.at ?? '') ? 1 : -1));
  return { kind, items: sorted.slice(0, MAX_ITEMS), hasMore: found.length > MAX_ITEMS };
}

const isFilled = ({ items }: FoundGroup): boolean => items.length > 0;

const unique = (users: readonly FoundUser[]): readonly FoundUser[] => [
  ...new Map(users.map((user) => [JSON.stringify([user.applicationId, user.identifier]), user])).values(),
];

/** Creates the search with which operators find ids and users in all applications. */
export function createSearch({ storage, executionLog, failedRequests, keptDays }: SearchParts) {
  const { search, auditEvents } = storage;

  async function findOfRequest(id: SearchedId): Promise<readonly FoundGroup[]> {
    await Promise.all([executionLog.flush(), failedRequests.flush()]);
    const [executions, failed, events] = await Promise.all([
      search.executionsOfRequest(id, LIMIT),
      search.failedRequests(id, LIMIT),
      search.eventsOfRequest(id, LIMIT),
    ]);
    return [
      groupOf('execution', executions.map(ofExecution)),
      groupOf('failedRequest', failed.map(ofFailed)),
      groupOf('auditEvent', events.map(ofEvent)),
    ];
  }

  async function findExecutions(id: SearchedId): Promise<FoundGroup> {
    if (id.digits === '') return groupOf('execution', []);
    await executionLog.flush();
    const times = { since: timeOf(id.digits, '0'), until: timeOf(id.digits, 'f') };
    const rows = await search.executionsById({ ...id, ...times }, LIMIT);
    return groupOf('execution', rows.map(ofExecution));
  }

  const findRows =
    (kind: FoundKind, find: (range: IdRange, limit: number) => Promise<readonly FoundRow[]>) =>
    async (id: SearchedId): Promise<FoundGroup> =>
      groupOf(kind, (await find(id, LIMIT)).map(ofRow));

  const findById: Readonly<Record<string, (id: SearchedId) => Promise<FoundGroup>>> = {
    exec: findExecutions,
    audit: async (id) => groupOf('auditEvent', (await search.eventsById(id, LIMIT)).map(ofEvent)),
    acct: findRows('account', search.accountsById),
    appr: findRows('approval', search.approvalsById),
    conn: findRows('connection', search.connectionsById),
    grant: findRows('agentGrant', search.grantsById),
    tok: findRows('token', search.tokensById),
    ep: findRows('webhookEndpoint', search.endpointsById),
    evt: findRows('event', search.webhookEventsById),
    dlv: findRows('delivery', search.deliveriesById),
  };

  /** Finds the audit events of an object. They remain after the object was deleted. */
  async function findEventsOf({ from: object, to }: SearchedId): Promise<FoundGroup> {
    const events = object === to ? await auditEvents.list({ object, newestFirst: true, limit: LIMIT }) : [];
    return groupOf('auditEvent', events.map(ofEvent));
  }

  async function findId(text: string): Promise<readonly FoundGroup[]> {
    const id = readId(text);
    if (id === undefined) return [];
    if (id.prefix === 'req') return (await findOfRequest(id)).filter(isFilled);
    await failedRequests.flush();
    const failed = groupOf('failedRequest', (await search.failedRequestsOf(id, LIMIT)).map(ofFailed));
    const objects = await findById[id.prefix]?.(id);
    const events = id.prefix === 'audit' ? undefined : await findEventsOf(id);
    return [objects, failed, events].flatMap((group) => (group && isFilled(group) ? [group] : []));
  }

  async function findUsers(text: string): Promise<Pick<SearchResult, 'groups' | 'searchedAccounts'>> {
    await executionLog.flush();
    const key = searchKeyOf(text);
    const byPrefix = unique(await search.usersByPrefix(key, MAX_READ_ACCOUNTS));
    if (byPrefix.length > MAX_ITEMS) return { groups: [groupOf('user', byPrefix.map(ofUser))] };
    const slice = { most: MAX_SEARCHED_ACCOUNTS, limit: MAX_READ_ACCOUNTS };
    const users = unique([...byPrefix, ...(await search.usersByPart(key, slice))]);
    const isWhole = !(await search.hasMoreUsers(MAX_SEARCHED_ACCOUNTS));
    return {
      groups: [groupOf('user', users.map(ofUser))].filter(isFilled),
      ...(!isWhole && { searchedAccounts: MAX_SEARCHED_ACCOUNTS }),
    };
  }

  /**
   * Finds objects whose id begins with the text, or else users whose identifier contains it. The result has at most ten
   * items of each kind.
   */
  return async function find(query: string): Promise<SearchResult> {
    const text = query.trim();
    if (text === '') return { groups: [], keptDays };
    const groups = await findId(text);
    return { ...(groups.length > 0 ? { groups } : await findUsers(text)), keptDays };
  };
}

export type Search = ReturnType<typeof createSearch>;
