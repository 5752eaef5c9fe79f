import type { Client } from './client.js';
import { paged } from './paged.js';
import { accountPath, path } from './path.js';
import type {
  AccountQuery,
  AccountReference,
  Approval,
  ApprovalQuery,
  ConnectedAccount,
  Connection,
  ConnectionSettings,
  Decision,
  Execution,
  ExecutionQuery,
  ExecutionStory,
  NewConnection,
  Page,
  PageQuery,
  RevokedAccount,
  Verification,
  VerifiedAccount,
} from './resources.js';
import type { QueryParams } from './service-call.js';
import type { ListedToken } from './token-limits.js';
import type { CallOptions, Limit } from './tool.js';
import { type WaitOptions, waitUntilAuthorized } from './wait-until-authorized.js';

/** A list, page by page; `pages` iterates over them, and `each` over their items. */
export interface List<Item, Query extends unknown[] = [query?: PageQuery]> {
  (...args: [...Query, options?: CallOptions]): Promise<Page<Item>>;
  each(...args: [...Query, options?: CallOptions & Limit]): AsyncIterable<Item>;
  pages(...args: [...Query, options?: CallOptions]): AsyncIterable<Page<Item>>;
}

/** The connections of the application. */
export interface Connections {
  create(connection: NewConnection, options?: CallOptions): Promise<Connection>;
  get(connectionName: string, options?: CallOptions): Promise<Connection>;
  update(connectionName: string, changes: ConnectionSettings, options?: CallOptions): Promise<Connection>;
  /** Deletes the connection with its accounts. */
  delete(connectionName: string, options?: CallOptions): Promise<void>;
  list: List<Connection>;
}

/** The connected accounts of the application. */
export interface Accounts {
  get(account: AccountReference, options?: CallOptions): Promise<ConnectedAccount>;
  /**
   * Looks at the account until its user has approved, and gives it then. Throws `timeout` when that takes longer than the
   * options say, and `account_not_found` where no link or key has made it.
   */
  waitUntilAuthorized(account: AccountReference, options?: WaitOptions): Promise<ConnectedAccount>;
  /** Revokes the upstream's grant where it can, and deletes the account in any case. */
  delete(account: AccountReference, options?: CallOptions): Promise<void>;
  /**
   * Ends the access as `delete` does, and keeps the account, which can be connected anew by a link or key. `upstream` tells
   * what became of it there.
   */
  revoke(account: AccountReference, options?: CallOptions): Promise<RevokedAccount>;
  /**
   * Says which user has come to the application's verify URL, which authorizes the account. Throws `verification_failed`
   * when the link was made for another user, and `not_found` when the id is unknown, used or older than 10 minutes.
   */
  verify(verification: Verification, options?: CallOptions): Promise<VerifiedAccount>;
  /** The accounts of all connections, or of those that the query names. */
  list: List<ConnectedAccount, [query?: AccountQuery]>;
}

/** What ran, newest first. */
export interface Executions {
  /** With how it went: attempts, waits, and the account's identifier. */
  get(executionId: string, options?: CallOptions): Promise<ExecutionStory>;
  list: List<Execution, [query?: ExecutionQuery]>;
}

/** Calls that a person is asked about before they run. */
export interface Approvals {
  get(approvalId: string, options?: CallOptions): Promise<Approval>;
  /** Throws `conflict` when it was decided otherwise, or its time is over. */
  decide(approvalId: string, decision: Decision, options?: CallOptions): Promise<Approval>;
  list: List<Approval, [query?: ApprovalQuery]>;
}

/** Tokens that were made of the application's, newest first. */
export interface Tokens {
  list: List<ListedToken>;
  /** Ends the token and all that were made from it. Throws `not_found` when there is none that is not revoked. */
  revoke(id: string, options?: CallOptions): Promise<void>;
}

/** A client that also sets up and inspects the service. */
export interface ManagingClient extends Client {
  connections: Connections;
  accounts: Accounts;
  executions: Executions;
  approvals: Approvals;
  accountTokens: Tokens;
  agentTokens: Tokens;
}

const list = <Item, Query>(fetchPage: (query: Query, options?: CallOptions) => Promise<Page<Item>>) => {
  // As tools answer, so that one way leads through both.
  const linked = async (query: Query, options?: CallOptions) => {
    const page = await fetchPage(query, options);
    const { nextPageToken: pageToken } = page;
    return { data: page, nextInput: pageToken ? { pageToken } : undefined };
  };
  const { each, pages } = paged<Query, Awaited<ReturnType<typeof linked>>, Item>(linked, 'items');
  async function* pagesOf(...given: Parameters<typeof pages>) {
    for await (const { data } of pages(...given)) yield data;
  }
  return Object.assign(fetchPage, { each, pages: pagesOf });
};

const referencePath = (account: AccountReference) =>
  'id' in account ? path('accounts', account.id) : accountPath(account);

interface Extras extends CallOptions {
  body?: object;
  queryParams?: QueryParams | undefined;
}

/** Adds set-up and inspection to a client; an application that does without does not bundle it. */
export function manage(client: Client): ManagingClient {
  const caller =
    (method: string) =>
    <Data>(target: string, { body, queryParams, ...options }: Extras = {}) =>
      client.call<Data>({ method, path: target, queryParams, body }, options);
  const [get, post, patch, remove] = [caller('GET'), caller('POST'), caller('PATCH'), caller('DELETE')];
  const tokens = (kind: string): Tokens => ({
    list: list((queryParams?: PageQuery, options?: CallOptions) =>
      get<Page<ListedToken>>(path(kind), { ...options, queryParams }),
    ),
    revoke: async (id, options) => remove(path(kind, id), options),
  });
  return {
    ...client,
    accountTokens: tokens('account-tokens'),
    agentTokens: tokens('agent-tokens'),
    connections: {
      create: (body, options) => post(path('connections'), { ...options, body }),
      get: async (name, options) => get(path('connections', name), options),
      update: async (name, body, options) => patch(path('connections', name), { ...options, body }),
      delete: async (name, options) => remove(path('connections', name), options),
      list: list((queryParams?: PageQuery, options?: CallOptions) =>
        get<Page<Connection>>(path('connections'), { ...options, queryParams }),
      ),
    },
    accounts: {
      get: async (account, options) => get(referencePath(account), options),
      waitUntilAuthorized: async (account, options) =>
        waitUntilAuthorized((each) => get(referencePath(account), each), options),
      delete: async (account, options) => remove(referencePath(account), options),
      revoke: async (account, options) => post(`${referencePath(account)}/revoke`, options),
      // The id has one attempt, so it is the key by which a lost answer can be asked for again.
      verify: (body, options) =>
        post(path('accounts', 'verify'), { idempotencyKey: body.authRequestId, ...options, body }),
      list: list((queryParams?: AccountQuery, options?: CallOptions) =>
        get<Page<ConnectedAccount>>(path('accounts'), { ...options, queryParams }),
      ),
    },
    executions: {
      get: async (executionId, options) => get(path('executions', executionId), options),
      list: list((queryParams?: ExecutionQuery, options?: CallOptions) =>
        get<Page<Execution>>(path('executions'), { ...options, queryParams }),
      ),
    },
    approvals: {
      get: async (approvalId, options) => get(path('approvals', approvalId), options),
      // The same decision twice is one, so that a lost answer can be asked for again.
      decide: async (approvalId, body, options) =>
        post(path('approvals', approvalId), { idempotencyKey: approvalId, ...options, body }),
      list: list((queryParams?: ApprovalQuery, options?: CallOptions) =>
        get<Page<Approval>>(path('approvals'), { ...options, queryParams }),
      ),
    },
  };
}
