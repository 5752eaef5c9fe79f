/** A named configuration of one connector. Secrets go in and never come out. */
export interface Connection {
  id: string;
  connectionName: string;
  connector: string;
  /** Null when the service has no such connector any more. */
  authType: string | null;
  /** To be registered with the upstream's OAuth client; null where there is none. */
  redirectUri: string | null;
  clientId: string | null;
  hasClientSecret: boolean;
  scopes: string[];
  /** Null when the service does not know the connector or region any more. */
  baseUrl: string | null;
  region: string | null;
  /** Base URLs of the connector's further hosts by their names. */
  hosts: Record<string, string>;
  authorizationEndpoint: string | null;
  tokenEndpoint: string | null;
  revocationEndpoint: string | null;
  /** Which calls a person is asked about before they run. */
  approve: ApprovalPolicy;
  /** Why the connection as a whole does not work: `invalid_client` or `connector_not_found`. */
  statusReason?: string;
  createdAt: string;
  updatedAt: string;
}

/** What can be changed of a connection; what is absent is the connector's own. */
export interface ConnectionSettings {
  clientId?: string;
  clientSecret?: string;
  scopes?: readonly string[];
  baseUrl?: string;
  /** One of the connector's regions, in the place of a base URL. */
  region?: string;
  /** Base URLs of the connector's further hosts by their names; those left out stay as they are. */
  hosts?: Readonly<Record<string, string>>;
  authorizationEndpoint?: string;
  tokenEndpoint?: string;
  revocationEndpoint?: string;
  /** Which calls a person is asked about before they run; takes the place of what was said before. */
  approve?: ApprovalPolicy;
}

/** Which calls of a connection a person is asked about. Where it says so of any, proxied requests only read; where of all, there are none. */
export interface ApprovalPolicy {
  default: 'always' | 'destructive' | 'never';
  /** By the names of tools, in the place of the default. */
  tools: Readonly<Record<string, 'always' | 'never'>>;
}

/** `expired`: nobody decided, or nobody called, in time. `interrupted`: it began, and nobody knows how it ended. */
export type ApprovalStatus =
  | 'pending'
  | 'approved'
  | 'running'
  | 'executed'
  | 'denied'
  | 'expired'
  | 'interrupted';

/** A call of a tool that a person is asked about before it runs. */
export interface Approval extends AccountName {
  id: string;
  status: ApprovalStatus | (string & {});
  /** What will happen, for people. */
  sentence: string;
  toolName: string;
  /** Frozen: this runs and nothing else. Fields whose names say that they hold a secret are hidden. */
  toolInput: Record<string, unknown>;
  accountId: string;
  /** Who asks: the application, `token:<id>` or `operator:<name>`. */
  requestedBy: string;
  createdAt: string;
  /** How long it waits, may run, or its outcome holds for the same call. */
  expiresAt: string;
  /** `user`: whoever had the link. */
  decidedBy?: string;
  decidedAt?: string;
  /** In the words of whoever decided. */
  reason?: string;
  /** Of the one run. */
  executionId?: string;
  /** While it waits: for the one person who is to decide. Whoever has it can, so never give it to who asks. */
  link?: string;
}

/** What is decided of a call. */
export interface Decision {
  decision: 'approve' | 'deny';
  /** For whoever asked. */
  reason?: string | undefined;
}

/** A new connection. */
export interface NewConnection extends ConnectionSettings {
  /** How the application calls it: small letters, digits, `_` and `-`. */
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

/** What an account needs at once when its connector knows no authorization link. A later one takes the place of the earlier. */
export interface Credentials {
  apiKey?: string | undefined;
  bearerToken?: string | undefined;
  /** Further secrets by the names that the connector has for them; those left out stay as they are. */
  credentials?: Readonly<Record<string, string>> | undefined;
}

/** The state of a connected account. */
export type AccountStatus =
  | 'unauthorized'
  | 'pending_verification'
  | 'authorized'
  | 'reauthorization_required';

/** The link between a user of the application and a connection. */
export interface ConnectedAccount extends AccountName {
  id: string;
  connector: string;
  status: AccountStatus | (string & {});
  /** Why the access ended. */
  statusReason?: string;
  /** What the user has granted. */
  scopes: string[];
  /** The names of the further credentials that it holds. */
  credentials: string[];
  createdAt: string;
  updatedAt: string;
  /** When a call as it ended last, to within five minutes; absent before the first. */
  usedAt?: string;
  /** When its tokens came. */
  refreshedAt?: string;
  /** When its access token ends; it is refreshed before. */
  expiresAt?: string;
}

/** For whom the link is. */
export interface LinkRequest extends AccountName {
  /** Lets another user of the upstream take the place of the one that is connected now. Default: false. */
  replace?: boolean | undefined;
  /** Where the browser goes in the end: one of the application's redirect URLs. With a verify URL, `accounts.verify` gives it back. */
  successUrl?: string | undefined;
  /** Where the browser goes when nothing was connected, with `svc_error` in the query: one of the application's redirect URLs. */
  failureUrl?: string | undefined;
}

/** Who came to the application's verify URL. */
export interface Verification {
  /** From the query of the verify URL: `auth_request_id`. */
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
  /** What became of the access upstream; `failed`: it was not confirmed, so end it there by hand. */
  upstream: 'revoked' | 'no_revocation_endpoint' | 'nothing_to_revoke' | 'failed' | (string & {});
}

/** Where the user approves; it works once. */
export interface AuthorizationLink {
  /** To be shown to the user. */
  link: string;
  expiresAt: string;
}

/** What a list takes. */
export type PageQuery = {
  pageSize?: number | undefined;
  /** The `nextPageToken` of the page before. */
  pageToken?: string | undefined;
};

/** Which accounts to list, in the order of their identifiers. */
export type AccountQuery = PageQuery & {
  connectionName?: string | undefined;
  status?: AccountStatus | undefined;
  /** What the identifier begins with. */
  identifier?: string | undefined;
};

/** Which approvals to list, newest first. */
export type ApprovalQuery = PageQuery & { status?: ApprovalStatus | undefined };

/** One page of a list. */
export interface Page<Item> {
  items: Item[];
  /** Absent on the last page. */
  nextPageToken?: string;
}

/** Which executions to list. */
export type ExecutionQuery = PageQuery & {
  connectionName?: string | undefined;
  toolName?: string | undefined;
  /** The HTTP status that the caller got. */
  status?: number | undefined;
  accountId?: string | undefined;
  /** Only those with a status of 400 and above, or whose answer broke off. */
  failed?: boolean | undefined;
  /** From this moment on, such as `2026-11-20` or `2026-11-20T09:00:00Z`. */
  since?: string | undefined;
  /** Before this moment. */
  until?: string | undefined;
};

/** One run of a tool or one proxied request; bodies are not kept. */
export interface Execution {
  id: string;
  kind: 'tool' | 'proxy';
  connectionName: string;
  accountId: string;
  /** The tool's name, when it was a tool. */
  toolName?: string;
  /** The HTTP method, when it was a proxied request. */
  method?: string;
  /** The HTTP status that the caller got. */
  status: number;
  errorCode?: string;
  /** The upstream's last status; absent when nothing was sent. */
  upstreamStatus?: number;
  durationMs: number;
  startedAt: string;
  requestId: string;
}

/** What ran, and how it went. */
export interface ExecutionStory extends Execution {
  /** Absent when the account is gone. */
  accountIdentifier?: string;
  /** The approval that it ran by, where a person was asked. */
  approvalId?: string;
  /** Requests that were sent upstream: several where one was repeated, or a tool takes several. */
  attempts?: number;
  /** Whether the credential was renewed on the way. */
  refreshed?: boolean;
  /** How long it waited for the upstream's answers. */
  upstreamMs?: number;
  /** How long it waited for its turn. */
  waitedMs?: number;
}
