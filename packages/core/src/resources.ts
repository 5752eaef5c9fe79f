/** A named configuration of one connector. Its secrets are write-only. */
export interface Connection {
  id: string;
  connectionName: string;
  connector: string;
  /** Null when the service no longer has the connector. */
  authType: string | null;
  /** Register it with the upstream's OAuth client. Null for a connector without OAuth. */
  redirectUri: string | null;
  clientId: string | null;
  hasClientSecret: boolean;
  scopes: string[];
  /** Null when the service no longer has the connector or region. */
  baseUrl: string | null;
  region: string | null;
  /** Base URLs of the connector's secondary hosts, by name. */
  hosts: Record<string, string>;
  authorizationEndpoint: string | null;
  tokenEndpoint: string | null;
  revocationEndpoint: string | null;
  /** True to use an authorization server that does not announce PKCE. */
  allowUnannouncedPkce: boolean;
  /** Calls that need a person's approval. */
  approve: ApprovalPolicy;
  /** Reason why no call of the connection works: `invalid_client` or `connector_not_found`. */
  statusReason?: string;
  createdAt: string;
  updatedAt: string;
}

/** Settings of a connection. The connector has defaults for absent ones. */
export interface ConnectionSettings {
  clientId?: string;
  clientSecret?: string;
  scopes?: readonly string[];
  baseUrl?: string;
  /** One of the connector's regions, instead of a base URL. */
  region?: string;
  /** Base URLs of the connector's secondary hosts, by name. Absent ones do not change. */
  hosts?: Readonly<Record<string, string>>;
  authorizationEndpoint?: string;
  tokenEndpoint?: string;
  revocationEndpoint?: string;
  /** Uses the authorization server of an MCP server although it does not announce PKCE, which is sent all the same. Default: false. */
  allowUnannouncedPkce?: boolean;
  /** Calls that need a person's approval. Replaces the earlier policy. */
  approve?: ApprovalPolicy;
}

/**
 * The calls of a connection that need a person's approval. When any call needs it, proxied requests may only read. When all
 * calls need it, proxied requests are rejected.
 */
export interface ApprovalPolicy {
  default: 'always' | 'destructive' | 'never';
  /** Exceptions from the default, by tool name. */
  tools: Readonly<Record<string, 'always' | 'never'>>;
}

/** `expired`: no decision, or no call after it, came in time. `interrupted`: the call began, and its outcome is unknown. */
export type ApprovalStatus =
  | 'pending'
  | 'approved'
  | 'running'
  | 'executed'
  | 'denied'
  | 'expired'
  | 'interrupted';

/** A call of a tool that a person approves or denies before it runs. */
export interface Approval extends AccountName {
  id: string;
  status: ApprovalStatus | (string & {});
  /** Describes the effect of the call to a person. */
  sentence: string;
  toolName: string;
  /** The exact input of the approved call. Fields with the name of a secret are hidden. */
  toolInput: Record<string, unknown>;
  accountId: string;
  /** The caller: the application, `token:<id>` or `operator:<name>`. */
  requestedBy: string;
  createdAt: string;
  /** Expiry of the current status. */
  expiresAt: string;
  /** `user` is anybody with the link. */
  decidedBy?: string;
  decidedAt?: string;
  /** The decider's own words. */
  reason?: string;
  /** The execution of the approved call. */
  executionId?: string;
  /** Present while the approval is pending. Anybody with the link can decide, so never give it to the caller. */
  link?: string;
}

/** A person's decision about a call. */
export interface Decision {
  decision: 'approve' | 'deny';
  /** Shown to the caller. */
  reason?: string | undefined;
}

/** A new connection. */
export interface NewConnection extends ConnectionSettings {
  /** The application's name for the connection: lower-case letters, digits, `_` and `-`. */
  connectionName: string;
  /** The connector's id, such as `calendar`. */
  connector: string;
}

/** One user of the application at one connection. */
export interface AccountName {
  /** The connection's name. */
  connectionName: string;
  /** The user, as the application names them. */
  identifier: string;
}

/** An account by its id, or by connection and identifier. */
export type AccountReference = { id: string } | AccountName;

/** Secrets of an account whose connector has no authorization link. New ones replace old ones. */
export interface Credentials {
  apiKey?: string | undefined;
  bearerToken?: string | undefined;
  /** Secondary credentials by the connector's names for them. Absent ones do not change. */
  credentials?: Readonly<Record<string, string>> | undefined;
  /** Tries them at the upstream first, and refuses wrong ones with `details.reason` `key_refused`. Default: true. */
  verify?: boolean | undefined;
}

/** The state of a connected account. */
export type AccountStatus =
  | 'unauthorized'
  | 'pending_verification'
  | 'authorized'
  | 'reauthorization_required';

/** A user's account at one connection, with its status. */
export interface ConnectedAccount extends AccountName {
  id: string;
  connector: string;
  status: AccountStatus | (string & {});
  /** Reason why the account lost its access. */
  statusReason?: string;
  /** The upstream's names for the user, where it told them. */
  connectedAs?: { name?: string; workspace?: string; pictureUrl?: string };
  /** The scopes that the user granted. */
  scopes: string[];
  /** The names of the stored secondary credentials. */
  credentials: string[];
  createdAt: string;
  updatedAt: string;
  /** End of the last call, to within five minutes. Absent before the first call. */
  usedAt?: string;
  /** Time of the last token response. */
  refreshedAt?: string;
  /** Expiry of the access token. It is refreshed before. */
  expiresAt?: string;
}

/** The account that a link is for, and its options. */
export interface LinkRequest extends AccountName {
  /** Lets another user of the upstream replace the connected one. Default: false. */
  replace?: boolean | undefined;
  /**
   * URL for the browser after success: one of the application's redirect URLs. With a verify URL, `accounts.verify` returns it.
   */
  successUrl?: string | undefined;
  /**
   * URL for the browser if nothing was connected: one of the application's redirect URLs. Its query gets `svc_error`: `cancelled`,
   * `refused_by_administrator`, `failed`, or the code of another error.
   */
  failureUrl?: string | undefined;
}

/** The user who came to the application's verify URL. */
export interface Verification {
  /** The `auth_request_id` in the query of the verify URL. */
  authRequestId: string;
  /** The user of the application's own session, as the application names them. */
  identifier: string;
}

/** The account that a verification has authorized. */
export interface VerifiedAccount extends ConnectedAccount {
  /** The `successUrl` of the link. */
  successUrl?: string;
}

/** An account whose access was revoked. */
export interface RevokedAccount extends ConnectedAccount {
  /** The outcome at the upstream. After `failed`, revoke the access there by hand. */
  upstream: 'revoked' | 'no_revocation_endpoint' | 'nothing_to_revoke' | 'failed' | (string & {});
}

/** A link to the page where the user gives consent. It works once. */
export interface AuthorizationLink {
  /** Show it to the user. */
  link: string;
  expiresAt: string;
}

/** The query of a list. */
export type PageQuery = {
  pageSize?: number | undefined;
  /** The `nextPageToken` of the previous page. */
  pageToken?: string | undefined;
};

/** Filters of accounts, which are listed in the order of their identifiers. */
export type AccountQuery = PageQuery & {
  connectionName?: string | undefined;
  status?: AccountStatus | undefined;
  /** The beginning of the identifier. */
  identifier?: string | undefined;
};

/** Filters of approvals, which are listed newest first. */
export type ApprovalQuery = PageQuery & { status?: ApprovalStatus | undefined };

/** One page of a list. */
export interface ListPage<Item> {
  items: Item[];
  /** Absent on the last page. */
  nextPageToken?: string;
}

/** Filters of executions. */
export type ExecutionQuery = PageQuery & {
  connectionName?: string | undefined;
  toolName?: string | undefined;
  /** The HTTP status of the response to the caller. */
  status?: number | undefined;
  accountId?: string | undefined;
  /** Only executions with a status of 400 or above, or whose response broke off. */
  failed?: boolean | undefined;
  /** Started at this time or later, such as `2026-11-20` or `2026-11-20T09:00:00Z`. */
  since?: string | undefined;
  /** Started before this time. */
  until?: string | undefined;
};

/** One run of a tool, or one proxied request. Bodies are not stored. */
export interface Execution {
  id: string;
  kind: 'tool' | 'proxy';
  connectionName: string;
  accountId: string;
  /** The tool's name, for a tool. */
  toolName?: string;
  /** The HTTP method, for a proxied request. */
  method?: string;
  /** The HTTP status of the response to the caller. */
  status: number;
  errorCode?: string;
  /** The upstream's last status. Absent when nothing was sent. */
  upstreamStatus?: number;
  durationMs: number;
  startedAt: string;
  requestId: string;
}

/** An execution with its timeline. */
export interface ExecutionStory extends Execution {
  /** Absent when the account was deleted. */
  accountIdentifier?: string;
  /** The approval of the call, if it needed one. */
  approvalId?: string;
  /** Number of requests sent upstream, including retries. */
  attempts?: number;
  /** True if the access token was refreshed during the call. */
  refreshed?: boolean;
  /** Milliseconds of waiting for the upstream's responses. */
  upstreamMs?: number;
  /** Milliseconds of waiting for a slot. */
  waitedMs?: number;
}
