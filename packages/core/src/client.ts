import type { SharedOptions } from './config.js';
import type { ExecuteTool } from './execute-tool.js';
import type { PlatformResponse } from './platform.js';
import type { SendRequest } from './proxy-request.js';
import type {
  AccountName,
  AuthorizationLink,
  ConnectedAccount,
  Credentials,
  LinkRequest,
} from './resources.js';
import type { ServiceCall } from './service-call.js';
import type { IssuedToken, TokenRequest } from './token-limits.js';
import type { CallOptions } from './tool.js';

/** Calls of the service that have no function of their own. */
export interface CallService {
  /** Resolves with the platform's Response as soon as its headers are there: status, headers, and a body that is not read yet. */
  (call: ServiceCall, options: CallOptions & { stream: true }): Promise<PlatformResponse>;
  /** Resolves with what the service answers. */
  <Data = unknown>(call: ServiceCall, options?: CallOptions): Promise<Data>;
}

/** The service, as one application sees it. */
export interface Client {
  /** Makes the link where the user approves; makes the connected account too, when there is none. */
  getAuthorizationLink(account: LinkRequest, options?: CallOptions): Promise<AuthorizationLink>;
  /** Finds the user's account or makes it, with the key or token that some connectors want of each user. */
  getOrCreateConnectedAccount(
    account: AccountName & Credentials,
    options?: CallOptions,
  ): Promise<ConnectedAccount>;
  /** Sends a request to the upstream as a user, through the service, which adds the credentials. */
  request: SendRequest;
  /** Runs a tool by its name; the connector packages do the same with a method for each tool. */
  executeTool: ExecuteTool;
  /** Makes a token for a browser or another public caller: for one user, and ten minutes unless `expiresIn` says more. */
  accountToken(request: TokenRequest, options?: CallOptions): Promise<IssuedToken>;
  /** Makes a token for an agent: for one user and what else is limited, for a year at most. */
  agentToken(request: TokenRequest & { expiresIn: number }, options?: CallOptions): Promise<IssuedToken>;
  /** Any other call of the service's HTTP interface, such as `{ method: 'GET', path: '/v1/tools' }`. */
  call: CallService;
  /** The same client with other options, such as another `timeout` or more `headers`, and its token; one that is `undefined` has its default again. */
  withOptions(options: SharedOptions): Client;
}
