import type { ExecuteTool } from './execute-tool.js';
import type { SendRequest } from './proxy.js';
import type {
  AccountName,
  AccountReference,
  AuthorizationLink,
  ConnectedAccount,
  Connection,
  ConnectionSettings,
  Credentials,
  Execution,
  ExecutionQuery,
  NewConnection,
  Page,
  PageQuery,
  Verification,
} from './resources.js';
import type { CallOptions } from './tool.js';

/** A list, page by page; `each` iterates over the items of all pages. */
export interface List<Item, Arguments extends unknown[] = [query?: PageQuery, options?: CallOptions]> {
  (...args: Arguments): Promise<Page<Item>>;
  each(...args: Arguments): AsyncIterable<Item>;
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
  /** Revokes the upstream's grant where it can, and deletes the account in any case. */
  delete(account: AccountReference, options?: CallOptions): Promise<void>;
  /** Confirms on the application's server who came back from an authorization link. */
  verify(verification: Verification, options?: CallOptions): Promise<ConnectedAccount>;
  /** The accounts of one connection. */
  list: List<ConnectedAccount, [query: PageQuery & { connectionName: string }, options?: CallOptions]>;
}

/** What ran. */
export interface Executions {
  /** Newest first. */
  list: List<Execution, [query?: ExecutionQuery, options?: CallOptions]>;
}

/** The service, as one application sees it. */
export interface Client {
  /** Makes the link where the user approves; makes the connected account too, when there is none. */
  getAuthorizationLink(account: AccountName, options?: CallOptions): Promise<AuthorizationLink>;
  /** Finds the user's account, or makes it: with a key or token where the connector wants one of the user. */
  getOrCreateConnectedAccount(
    account: AccountName & Credentials,
    options?: CallOptions,
  ): Promise<ConnectedAccount>;
  /** Sends a request to the upstream as a user, through the service, which adds the credentials. */
  request: SendRequest;
  /** Runs a tool by its name; the connector packages do the same with a method for each tool. */
  executeTool: ExecuteTool;
  connections: Connections;
  accounts: Accounts;
  executions: Executions;
}
