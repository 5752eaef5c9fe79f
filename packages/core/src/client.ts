import type { SharedOptions } from './config.js';
import type { ExecuteTool } from './execute-tool.js';
import type { PlatformResponse } from './platform.js';
import type { SendRequest } from './proxy-request.js';
import type {
  AccountDetails,
  AccountName,
  AccountSecrets,
  AuthorizationLink,
  ConnectedAccount,
  LinkRequest,
} from './resources.js';
import type { ServiceCall } from './service-call.js';
import type { IssuedToken, TokenRequest } from './token-limits.js';
import type { CallOptions } from './tool.js';
import type { WatchList } from './watch.js';

/** Function that sends any call of the service's HTTP interface. */
export interface CallService {
  /**
   * Sends any call of the service's HTTP interface. Resolves with the platform's `Response` as soon as its headers have
   * arrived. The response body is unread. Throws a `ServiceError` for a status of 400 or above.
   */
  (call: ServiceCall, options: CallOptions & { stream: true }): Promise<PlatformResponse>;
  /**
   * Sends any call of the service's HTTP interface. Resolves with the data of the response, once the response body is
   * read. Throws a `ServiceError` for a status of 400 or above.
   */
  <Data = unknown>(call: ServiceCall, options?: CallOptions): Promise<Data>;
}

/** Client of the service for one application. */
export interface Client {
  /**
   * Creates a link to the page where the user gives consent. Creates the connected account if the account does not
   * exist. Throws `connection_not_found` for an unknown connection, `connection_not_configured` if the connection lacks
   * a setting, and `application_not_configured` if a production application has no verify URL.
   */
  getAuthorizationLink(account: LinkRequest, options?: CallOptions): Promise<AuthorizationLink>;
  /**
   * Finds or creates the user's connected account. Connectors without an authorization link need a key or token in the
   * request. OAuth tokens that the application already has are imported. Given secrets, metadata and tags replace those
   * of an existing account. Throws `connection_not_found` for an unknown connection, and `invalid_request` for secrets
   * that the upstream refuses.
   */
  getOrCreateConnectedAccount(
    account: AccountName & AccountSecrets & AccountDetails,
    options?: CallOptions,
  ): Promise<ConnectedAccount>;
  /**
   * Sends a request to the upstream through the service's proxy, which adds the user's credentials. Throws
   * `UpstreamError` for a status of 400 or above, and `AccountNotAuthorizedError` before the user has given consent.
   */
  request: SendRequest;
  /**
   * Runs a tool by its name. The connector packages have a typed method for each tool. Throws `InvalidInputError`,
   * `AccountNotAuthorizedError`, `ApprovalRequiredError`, `UpstreamError`, or another `ServiceError`.
   */
  executeTool: ExecuteTool;
  /**
   * Watches the list that a tool returns: the service polls it, and reports new, changed and deleted items as events.
   * Returns the existing watch of the same account, tool and input instead of creating a second one.
   */
  watch: WatchList;
  /**
   * Creates an account token, for a browser or another public caller, limited to one user. The token expires after
   * `expiresIn` seconds. Default: 600.
   */
  accountToken<Name extends string>(request: TokenRequest<Name>, options?: CallOptions): Promise<IssuedToken>;
  /** Creates an agent token, limited to one user. The token expires after `expiresIn` seconds, at most one year. */
  agentToken<Name extends string>(
    request: TokenRequest<Name> & { expiresIn: number },
    options?: CallOptions,
  ): Promise<IssuedToken>;
  /** Sends any other call of the service's HTTP interface, such as `{ method: 'GET', path: '/v1/tools' }`. */
  call: CallService;
  /**
   * Returns a client with other options, such as another `timeout` or more `headers`. Both clients share the access
   * token. An option that is `undefined` gets its default.
   */
  withOptions(options: SharedOptions): Client;
}
