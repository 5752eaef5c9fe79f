/** State of a connection in all instances of the service, from the worst to the best. */
export type ConnectionState =
  /** A setting is missing, such as the client id. */
  | 'not_configured'
  /** The authorization server refuses the client id or secret. */
  | 'client_refused'
  /** The upstream does not respond, so the service refuses calls. */
  | 'not_answering'
  /** Too many calls are in progress, so the service refuses calls. */
  | 'overloaded'
  /** The upstream failed in at least a fifth of the calls of the last five minutes. */
  | 'degraded'
  /** The tokens of some accounts cannot be refreshed. */
  | 'refresh_failing'
  /** The last test of the connection failed. */
  | 'test_failed'
  /** Nobody tested the connection, and no call succeeded within the last hour. */
  | 'not_tested'
  /** The last test or the last calls succeeded. */
  | 'working';

/** Health of a connection. */
export interface ConnectionHealth {
  state: ConnectionState | (string & {});
  /** Start of the state, in ISO 8601. Absent if it is unknown. */
  since?: string;
  /** `not_answering`: time of the next call to the upstream, in ISO 8601. Absent if the next call is sent at once. */
  nextTryAt?: string;
  /** `degraded`: percentage of the last calls that failed. */
  failedPercent?: number;
  /** `refresh_failing`: number of accounts whose tokens cannot be refreshed. */
  accounts?: number;
  /** Sentence about the cause of the state. */
  reason?: string;
}

/** Result of a test of a connection, which an operator runs in the dashboard. */
export interface ConnectionTest {
  /** Time of the test, in ISO 8601. */
  at: string;
  isWorking: boolean;
  /** Names of the failed steps. */
  failedSteps: string[];
  /** Message of the first failed step. Absent if the test passed. */
  message?: string;
}

/** Named configuration of one connector. The service never returns its secrets. */
export interface Connection {
  id: string;
  connectionName: string;
  connector: string;
  /** Authorization type of the connector, such as `oauth2`. Null when the service no longer has the connector. */
  authType: string | null;
  /** Redirect URI to register with the upstream's OAuth client. Null for a connector without OAuth. */
  redirectUri: string | null;
  /**
   * Address of the service for the webhooks of the upstream. Null for a connector without webhooks. A tool that creates
   * a webhook gets this address, and the service gives the webhook an address that only the upstream knows.
   */
  webhookUrl: string | null;
  /** Client id at the upstream. Null if it is not set. */
  clientId: string | null;
  /** True if a client secret is stored. */
  hasClientSecret: boolean;
  /** OAuth scopes that authorization links request. */
  scopes: string[];
  /** Base URL of the upstream. Null when the service no longer has the connector or region. */
  baseUrl: string | null;
  /** Name of the connector's region. Null without a region. */
  region: string | null;
  /** Base URLs of the connector's secondary hosts, by name. */
  hosts: Record<string, string>;
  authorizationEndpoint: string | null;
  tokenEndpoint: string | null;
  revocationEndpoint: string | null;
  /** True if the connection accepts an authorization server that does not announce PKCE. */
  allowUnannouncedPkce: boolean;
  /** Policy that decides which tool calls need a person's approval. */
  approve: ApprovalPolicy;
  /** True if executions keep the error code and the message of the upstream, without secrets and user data. */
  storeUpstreamErrors: boolean;
  /** Reason why no call of the connection works: `invalid_client` or `connector_not_found`. */
  statusReason?: string;
  /** State of the connection: it works, or why it does not. */
  health: ConnectionHealth;
  /** Last test of the connection. Absent if nobody tested its current settings. */
  lastTest?: ConnectionTest;
  /** Time of the creation, in ISO 8601. */
  createdAt: string;
  /** Time of the last change, in ISO 8601. */
  updatedAt: string;
  /** Version of the settings, for the option `ifMatch` of `connections.update`. */
  etag: string;
}

/** Settings of a connection. A setting that is absent has the connector's default. */
export interface ConnectionSettings {
  /** Client id of the application's OAuth client at the upstream. */
  clientId?: string | undefined;
  /** Secret of the OAuth client. The service never returns it. */
  clientSecret?: string | undefined;
  /** OAuth scopes to request. Null requests the connector's default scopes. */
  scopes?: readonly string[] | null | undefined;
  /** Base URL of the upstream. Default: the connector's. */
  baseUrl?: string | undefined;
  /** Name of one of the connector's regions, given instead of a base URL. */
  region?: string | undefined;
  /** Base URLs of the connector's secondary hosts, by name. Hosts that are absent do not change. */
  hosts?: Readonly<Record<string, string>> | undefined;
  authorizationEndpoint?: string | undefined;
  tokenEndpoint?: string | undefined;
  revocationEndpoint?: string | undefined;
  /**
   * True to accept an MCP server whose authorization server does not announce PKCE. PKCE is used anyway. Default:
   * false.
   */
  allowUnannouncedPkce?: boolean | undefined;
  /** Policy that decides which tool calls need a person's approval. Replaces the connection's earlier policy. */
  approve?: ApprovalPolicy | undefined;
  /** False to keep the error codes and messages of the upstream out of executions. Default: true. */
  storeUpstreamErrors?: boolean | undefined;
}

/**
 * Policy that decides which calls of a connection need a person's approval. If any call needs approval, proxied
 * requests may only read. If all calls need approval, proxied requests are rejected.
 */
export interface ApprovalPolicy {
  /** Calls that need an approval: all, those that delete or overwrite data, or none. */
  default: 'always' | 'destructive' | 'never';
  /** Exceptions from the policy's `default`, by tool name. */
  tools: Readonly<Record<string, 'always' | 'never'>>;
}

/** Request to create a connection. */
export interface NewConnection extends ConnectionSettings {
  /** Name that the application gives the connection: lower-case letters, digits, `_` and `-`. */
  connectionName: string;
  /** Id of the connector, such as `calendar`. */
  connector: string;
}

/** Name of a connected account: its connection, the user at that connection, and its label if it has one. */
export interface AccountName {
  /** Name of the connection. */
  connectionName: string;
  /** Identifier of the user in the application, such as `user_42`. */
  identifier: string;
  /**
   * Label that tells several accounts of one user on one connection apart, such as `work`: 1 to 64 characters. Absent:
   * the account without a label.
   */
  account?: string | undefined;
}

/** Reference to an account: its id, or its connection, identifier and label. */
export type AccountReference = { id: string } | AccountName;

/** Secrets of an account whose connector uses keys instead of OAuth. New secrets replace old ones. */
export interface Credentials {
  /** API key of a connector with the authorization type `api_key`. */
  apiKey?: string | undefined;
  /** Token of a connector with the authorization type `bearer_token`. */
  bearerToken?: string | undefined;
  /** Secondary credentials, by the names that the connector gives them. Credentials that are absent do not change. */
  credentials?: Readonly<Record<string, string>> | undefined;
  /**
   * True to test the secrets at the upstream first. Wrong secrets are rejected with `key_refused` in
   * `details.reason`. Default: true.
   */
  verify?: boolean | undefined;
}

/** The application's own data about an account. The service stores and returns it, and lists accounts by it. */
export interface AccountDetails {
  /**
   * Texts by key, which replace the earlier metadata: at most 20 keys of letters, digits, `_`, `.` and `-`, and 2,048
   * bytes as JSON. Do not store secrets here.
   */
  metadata?: Readonly<Record<string, string>> | undefined;
  /** Tags, which replace the earlier tags: at most 20 with 64 characters each. */
  tags?: readonly string[] | undefined;
}

interface TokenDetails {
  /** Time at which the access token expires, in ISO 8601. Default: unknown. */
  expiresAt?: string | undefined;
  /** OAuth scopes that the user granted. Default: none. Scopes of a token response replace them. */
  scopes?: readonly string[] | undefined;
}

/**
 * OAuth tokens that the user granted to the OAuth client of the connection before. The service tries them at the
 * upstream, and stores them only if they work. An operator must allow the import for the application.
 */
export type ImportedTokens = TokenDetails &
  (
    | { accessToken: string; refreshToken?: string | undefined }
    | { accessToken?: undefined; refreshToken: string }
  );

/** Secrets of an account: keys, or imported OAuth tokens. */
export type AccountSecrets =
  | (Credentials & { [Name in keyof TokenDetails | 'accessToken' | 'refreshToken']?: undefined })
  | (ImportedTokens & { [Name in keyof Credentials]?: undefined });

/** Status of a connected account. */
export type AccountStatus =
  | 'unauthorized'
  | 'pending_verification'
  | 'authorized'
  | 'reauthorization_required';

/** Account of a user at one connection. */
export interface ConnectedAccount extends AccountName {
  id: string;
  /** Id of the connector, such as `calendar`. */
  connector: string;
  /** Only an `authorized` account can be used. */
  status: AccountStatus | (string & {});
  /** Reason why the account lost its access. Absent while the account has access. */
  statusReason?: string;
  /** Name, workspace and picture of the user at the upstream, if the upstream reports them. */
  connectedAs?: { name?: string; workspace?: string; pictureUrl?: string };
  /** OAuth scopes that the user has granted. */
  scopes: string[];
  /** Names of the account's stored secondary credentials. */
  credentials: string[];
  /** The application's own data about the account. */
  metadata: Record<string, string>;
  /** The application's tags of the account. */
  tags: string[];
  /** Version of the metadata and tags, for the header `If-Match`. */
  etag: string;
  /** Time of the creation, in ISO 8601. */
  createdAt: string;
  /** Time of the last change, in ISO 8601. */
  updatedAt: string;
  /** Time at which the account's last call ended, accurate to five minutes. Absent before the first call. */
  usedAt?: string;
  /** Time of the last response with tokens, in ISO 8601. */
  refreshedAt?: string;
  /**
   * Token refreshes that fail since the last success, although the user has not revoked the access. Calls work until
   * the access token expires. The service tries again.
   */
  refreshFailure?: {
    /** Time of the first failed refresh, in ISO 8601. */
    since: string;
    lastTriedAt: string;
    /** Sentence about the cause. */
    reason: string;
  };
  /** True if the account has access, but neither a test nor a call has shown that its key or token is right. */
  notTested?: boolean;
  /** Time at which the access token expires, in ISO 8601. The service refreshes the token before that time. */
  expiresAt?: string;
}

/** Account for which an authorization link is created, and options of the link. */
export interface LinkRequest extends AccountName {
  /** True to let another user of the upstream replace the connected user. Default: false. */
  replace?: boolean | undefined;
  /**
   * URL to which the browser is redirected after the account is connected. It must be one of the application's redirect
   * URLs. With a verify URL, `accounts.verify` returns the URL instead.
   */
  successUrl?: string | undefined;
  /**
   * URL to which the browser is redirected if no account was connected. It must be one of the application's redirect
   * URLs. The query parameter `svc_error` is added: `cancelled`, `refused_by_administrator`,
   * `administrator_consent_required`, `invalid_scope`, `unauthorized_client`, `temporarily_unavailable`, `failed`, or
   * another error code.
   */
  failureUrl?: string | undefined;
  /**
   * Text of your application, at most 512 visible ASCII characters. The verify, success and failure URLs get it as the
   * query parameter `state`, and `accounts.verify` returns it.
   */
  state?: string | undefined;
  /** OAuth scopes to request from the user: some of the connection's scopes. Default: all of them. */
  requestedScopes?: readonly string[] | undefined;
  /**
   * Languages for the pages in the order of preference, separated by spaces, such as `de`. Default: the languages of
   * the browser.
   */
  uiLocales?: string | undefined;
  /**
   * Origin of the page that opens the link in a pop-up: one of the application's origins. The final page sends it the
   * message `{ type: 'svc.authorization_link', outcome }`.
   */
  openerOrigin?: string | undefined;
}

/** Report that names the user who opened the application's verify URL. */
export interface Verification {
  /** Value of `auth_request_id` in the query of the verify URL. */
  authRequestId: string;
  /** Identifier of the user who is signed in to the application, such as `user_42`. */
  identifier: string;
}

/** Account that a verification has authorized. */
export interface VerifiedAccount extends ConnectedAccount {
  /** `successUrl` of the authorization link. The application redirects the browser to it. */
  successUrl?: string;
  /** `state` of the authorization link. */
  state?: string;
}

/** Account whose access was revoked. */
export interface RevokedAccount extends ConnectedAccount {
  /** Result of the revocation at the upstream. After `failed`, revoke the access at the upstream by hand. */
  upstream: 'revoked' | 'no_revocation_endpoint' | 'nothing_to_revoke' | 'failed' | (string & {});
}

/** Link to the page where the user gives consent. The link works once. */
export interface AuthorizationLink {
  /** URL to show to the user. */
  link: string;
  /** Time at which the link expires, in ISO 8601: 30 minutes after its creation. */
  expiresAt: string;
}

/** Query of a list: the number of items in a page, and the page to return. */
export type PageQuery = {
  /** Maximum number of items in a page, 1 to 200. Default: 50. */
  pageSize?: number | undefined;
  /** Value of `nextPageToken` in the previous page of the list. */
  pageToken?: string | undefined;
};

/** Filters for accounts. The list is sorted by identifier. */
export type AccountQuery = PageQuery & {
  connectionName?: string | undefined;
  status?: AccountStatus | undefined;
  /** True to list only accounts that have `notTested`, false to list only accounts that do not. */
  notTested?: boolean | undefined;
  /** True to list only authorized accounts whose token refresh fails, false to list only other accounts. */
  refreshFailing?: boolean | undefined;
  /** Prefix with which the accounts' identifiers begin. */
  identifier?: string | undefined;
  /** True to list only accounts with exactly the given identifier. */
  exact?: boolean | undefined;
  /** Order of the identifiers. Default: `ascending`. */
  order?: 'ascending' | 'descending' | undefined;
  /** Label of the listed accounts. */
  account?: string | undefined;
  /** Tag that the listed accounts have. */
  tag?: string | undefined;
  /** Metadata entry that the listed accounts have, such as `plan:pro`. */
  metadata?: `${string}:${string}` | undefined;
};

/** One page of a list, such as the list of connections. */
export interface ListPage<Item> {
  /** Items of the page. Empty if no item matches the query. */
  items: Item[];
  /** Value that requests the next page of the list. Absent on the last page. */
  nextPageToken?: string;
}
