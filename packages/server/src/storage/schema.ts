import type { Generated, Kysely } from 'kysely';
import type { AccountStatusReason, StoredConnectionReason } from '../names/status-reasons.js';
import type { CallApprovalRow } from './approval-rows.js';
import type { AuthorizationFlowRow, AuthorizationLinkRow, PendingConsentRow } from './authorization-rows.js';
import type { EventDeliveryRow, EventLeaseRow, EventRow, WebhookEndpointRow } from './event-rows.js';
import type { AgentAccessRow, AgentClientRow, AgentGrantRow, AgentSignInRow } from './grant-rows.js';
import type {
  OperatorPasskeyRow,
  OperatorRow,
  OperatorSessionRow,
  OperatorSignInLinkRow,
  UsedChallengeRow,
} from './operator-rows.js';
import type { WebhookReceiptRow, WebhookSubscriptionRow } from './subscription-rows.js';
import type { NarrowedTokenCallRow, NarrowedTokenRow } from './token-rows.js';
import type { WatchItemRow, WatchRow } from './watch-rows.js';

/** Database schema for typed queries. Times are milliseconds since 1970. Column names are snake_case in SQL. */
export interface Schema {
  settings: SettingRow;
  applications: ApplicationRow;
  clientSecrets: ClientSecretRow;
  accessTokens: AccessTokenRow;
  narrowedTokens: NarrowedTokenRow;
  narrowedTokenCalls: NarrowedTokenCallRow;
  applicationOrigins: ApplicationOriginRow;
  agentAccesses: AgentAccessRow;
  agentClients: AgentClientRow;
  agentSignIns: AgentSignInRow;
  agentGrants: AgentGrantRow;
  agentGrantCalls: NarrowedTokenCallRow;
  dataKeys: DataKeyRow;
  connections: ConnectionRow;
  clientRegistrations: ClientRegistrationRow;
  accounts: AccountRow & AccountSearchColumns;
  accountTerms: AccountTermRow;
  authorizationLinks: AuthorizationLinkRow;
  authorizationFlows: AuthorizationFlowRow;
  /** Tokens whose user the application has not verified yet. The table keeps its name from release 1.0.0. */
  pendingApprovals: PendingConsentRow;
  callApprovals: CallApprovalRow;
  executions: ExecutionRow;
  executionStatistics: ExecutionStatisticsRow;
  failedRequests: FailedRequestRow;
  namedUsers: NamedUserRow;
  idempotencyKeys: IdempotencyKeyRow;
  auditEvents: AuditEventRow;
  webhookEndpoints: WebhookEndpointRow;
  events: EventRow;
  eventDeliveries: EventDeliveryRow;
  eventLeases: EventLeaseRow;
  webhookSubscriptions: WebhookSubscriptionRow;
  webhookReceipts: WebhookReceiptRow;
  watches: WatchRow;
  watchItems: WatchItemRow;
  operators: OperatorRow;
  operatorSessions: OperatorSessionRow;
  operatorSignInLinks: OperatorSignInLinkRow;
  operatorPasskeys: OperatorPasskeyRow;
  usedChallenges: UsedChallengeRow;
}

export type Database = Kysely<Schema>;

export interface SettingRow {
  name: string;
  value: string;
}

export interface ApplicationRow {
  id: string;
  name: string;
  /** 1 for an application with real users. Each user is connected only after the application has verified the user. */
  production: number;
  /**
   * URL of the application to which the service redirects the browser after the consent, so that the application
   * verifies its user.
   */
  verifyUrl: string | null;
  /** JSON array of the URLs to which the service may redirect the browser after the consent. */
  redirectUrls: string;
  /** Logo of the application, as the data URL of a PNG or SVG image. */
  logo: string | null;
  /** Color of the main button on the connect pages, such as `#0f6b5c`. `null` for the service's default color. */
  color: string | null;
  /** 1 if the application may import OAuth tokens that it already has; otherwise 0. */
  allowTokenImport: number;
  createdAt: number;
}

/** Browser origin that an application has registered for CORS. */
export interface ApplicationOriginRow {
  applicationId: string;
  origin: string;
}

export interface ClientSecretRow {
  id: string;
  applicationId: string;
  digest: string;
  createdAt: number;
  revokedAt: number | null;
}

export interface AccessTokenRow {
  digest: string;
  applicationId: string;
  clientSecretId: string;
  expiresAt: number;
}

export interface DataKeyRow {
  id: string;
  applicationId: string;
  /**
   * Number of the application's data key, which grows with each rotation. The key with the highest number encrypts new
   * values.
   */
  generation: number;
  /** Ciphertext of the data key, with the id of the root key that encrypted it. */
  wrappedKey: string;
  /**
   * Number of encryptions that instances have reserved for this data key. They reserve encryptions in blocks, so they
   * may have made fewer.
   */
  encryptions: number;
  /**
   * Time since when no value is encrypted with this data key, because all were deleted or encrypted again. `null` while
   * such a value exists.
   */
  unusedSince: number | null;
  createdAt: number;
}

/** Connection of an application to a connector. For columns that are `null`, the connector's default applies. */
export interface ConnectionRow {
  id: string;
  applicationId: string;
  name: string;
  connector: string;
  clientId: string | null;
  /** Encrypted client secret of the OAuth client. `null` if the client has no secret. */
  clientSecret: string | null;
  /**
   * Issuer of the discovered authorization server with which the client id was first used. The service never sends the
   * client id to another server.
   */
  clientIssuer: string | null;
  /** JSON array of the OAuth scopes that the connection requests. */
  scopes: string | null;
  baseUrl: string | null;
  /** Name of the connector's region that the connection uses. The region determines the base URL. */
  region: string | null;
  /** JSON object: base URL of each of the connector's secondary hosts, keyed by the host's name in the connector. */
  hosts: string | null;
  authorizationEndpoint: string | null;
  tokenEndpoint: string | null;
  revocationEndpoint: string | null;
  /** JSON object: approval policy that says which calls need a person's approval. `null` if none does. */
  approve: string | null;
  /** 1 if the service may use a discovered authorization server that does not announce PKCE; otherwise 0. */
  allowUnannouncedPkce: number;
  /** 1 if executions store the error code and the error message of the upstream; otherwise 0. */
  storeUpstreamErrors: number;
  /** Reason why the connection does not work for any account. `null` while it works. */
  statusReason: StoredConnectionReason | null;
  /** Time of the last test. `null` if the connection was not tested after its settings were last changed. */
  testedAt: number | null;
  /** JSON object: failed steps of the last test, and the message. `null` if the last test passed. */
  testFailure: string | null;
  createdAt: number;
  updatedAt: number;
}

/** OAuth client that the service has registered dynamically with an authorization server. */
export interface ClientRegistrationRow {
  id: string;
  applicationId: string;
  connectionId: string;
  issuer: string;
  redirectUri: string;
  clientId: string;
  /**
   * Encrypted JSON: the authorization server's response to the client registration, which contains the client secret.
   */
  response: string;
  /** Time when the OAuth client's secret expires, in milliseconds since 1970. `null` if it does not expire. */
  expiresAt: number | null;
  createdAt: number;
}

export type AccountStatus =
  | 'unauthorized'
  | 'pending_verification'
  | 'authorized'
  | 'reauthorization_required';

export interface AccountRow {
  id: string;
  applicationId: string;
  connectionId: string;
  identifier: string;
  /** Label that distinguishes several accounts of one user on one connection. Empty if the account has none. */
  account: string;
  status: AccountStatus;
  statusReason: AccountStatusReason | null;
  /** JSON array of the OAuth scopes that the user granted. */
  scopes: string;
  /** JSON array of additional scopes for the next consent. `null` if no call needed more scopes. */
  wantedScopes: string | null;
  /** Id of the user at the upstream. `null` if the upstream does not report an id. */
  subject: string | null;
  /**
   * Issuer of the discovered authorization server that issued the tokens. `null` if the connector defines the server.
   */
  issuer: string | null;
  /** JSON object: display names of the user at the upstream. `null` if the upstream reported none. */
  connectedAs: string | null;
  /** Encrypted access token, API key or bearer token of the account. */
  accessToken: string | null;
  /** Encrypted refresh token of the account. `null` if the upstream issued none. */
  refreshToken: string | null;
  /** JSON object: encrypted secrets that the connector needs in addition to the main credential, keyed by name. */
  credentials: string;
  /** Keyed digest of the imported token, which recognizes a repeated import. `null` if no token was imported. */
  importedToken: string | null;
  issuedAt: number | null;
  expiresAt: number | null;
  /** Version of the account's credentials, which increases with each change of them. */
  version: number;
  /**
   * Time when a token refresh started, in milliseconds since 1970. `null` after its outcome is stored. If the refresh
   * was interrupted, the time remains, and the outcome is unknown.
   */
  refreshStartedAt: number | null;
  /** Time of the first failed token refresh since the last successful one. `null` if the last refresh succeeded. */
  refreshFailingSince: number | null;
  /** Time of the last failed token refresh, in milliseconds since 1970. `null` if the last refresh succeeded. */
  refreshFailedAt: number | null;
  /** Reason of the last failed token refresh, such as `unavailable`; `null` if the last refresh succeeded. */
  refreshFailure: string | null;
  /**
   * Time when the account's current secrets were stored without a test, in milliseconds since 1970. `null` after a test
   * or a call has succeeded with them.
   */
  untestedSince: number | null;
  /** Time when the last call with this account ended. It may be up to five minutes too early. */
  usedAt: number | null;
  /** JSON object: the application's own data about the account. */
  metadata: string;
  /** JSON array of the tags that the application set for the account. */
  tags: string;
  createdAt: number;
  updatedAt: number;
}

export interface AccountSearchColumns {
  /** User identifier in lower case, for searches. */
  identifierKey: Generated<string>;
}

/** Search term by which an account is listed: a tag, a metadata entry or the label. */
export interface AccountTermRow {
  applicationId: string;
  accountId: string;
  /** User identifier of the account, which never changes. Lists of accounts are sorted by it. */
  identifier: string;
  term: string;
}

export interface ExecutionRow {
  id: string;
  applicationId: string;
  /** Id of the account. `null` if the call ended before the service had found an account. */
  accountId: string | null;
  /** Name of the connection. If `accountId` is `null`, the name in the call, which is empty if the call named none. */
  connectionName: string;
  /** Identifier of the user whom the call named. `null` if the account is known or the call named no user. */
  identifier: string | null;
  kind: 'tool' | 'proxy';
  toolName: string | null;
  method: string | null;
  /** Path of a proxied request, with ids replaced and without query. `null` for tool calls. */
  path: string | null;
  /** HTTP status of the service's response to the caller. */
  status: number;
  errorCode: string | null;
  upstreamStatus: number | null;
  durationMs: number;
  startedAt: number;
  requestId: string;
  /** Id of the caller's trace. `null` if the request had no valid header `traceparent`. */
  traceId: string | null;
  /** Version of the service that handled the call. */
  serviceVersion: string;
  /** Number of requests that the call sent to the upstream, including retries. */
  attempts: number | null;
  /** 1 if the access token was refreshed during the call; otherwise 0. */
  refreshed: number | null;
  /** Time in milliseconds that the call waited for responses of the upstream. */
  upstreamMs: number | null;
  /** Time in milliseconds that the call waited for a free slot of the concurrency limit. */
  waitedMs: number | null;
  /** Time in milliseconds that the call paused before it repeated requests to the upstream. */
  pausedMs: number | null;
  /** Number of equal refused calls that the row represents. 1 for every other call. */
  count: number;
  /** Cause of a failure as JSON. `null` for a call without an error, or if only its error code is known. */
  cause: string | null;
  /** First requests to the upstream as JSON. `null` for no request, and for a single request that got a response. */
  requests: string | null;
}

/** User whom a call, a token or a grant named. The user may have no connected account. */
export interface NamedUserRow {
  applicationId: string;
  identifier: string;
  /** User identifier in lower case, for searches. */
  identifierKey: string;
  /** Time when a call, a token or a grant last named the user. It may be up to an hour too early. */
  seenAt: number;
}

/** Request to which the service responded with an error, and that has no execution. */
export interface FailedRequestRow {
  requestId: string;
  /** Id of the application. `null` if the request failed before the service knew its application. */
  applicationId: string | null;
  /** Id of the execution that counts this call together with equal refused calls. `null` for every other request. */
  executionId: string | null;
  /** Sender of the request, in the format of `Caller.actor` in caller.ts. */
  actor: string;
  /** Method and path pattern of the request, or the name of the called tool. */
  operation: string;
  status: number;
  errorCode: string;
  /** Cause as JSON, in the format of the column `cause` of executions. `null` if only the error code is known. */
  cause: string | null;
  /** Id of an object that the request named. `null` if it named none. */
  object: string | null;
  /** Id of a second object that the request named, such as the endpoint of a delivery. `null` if there is none. */
  otherObject: string | null;
  at: number;
}

/**
 * Upper bounds in milliseconds of the duration buckets of calls. The last bucket also counts longer calls. Each bound
 * is a column of the statistics, so a change of this array needs a migration.
 */
export const LATENCY_BOUNDS_MS = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 60_000, 600_000,
] as const;

/** Call counts of one connection, for executions that started within the same five minutes. */
export interface ExecutionStatisticsRow {
  applicationId: string;
  /** Start of the five minutes whose calls the row counts, in milliseconds since 1970. */
  at: number;
  connectionName: string;
  calls: number;
  errors: number;
  /** Number of calls in each duration bucket. There is one column for each bound in `LATENCY_BOUNDS_MS`. */
  [latency: `ms${number}`]: number;
}

export interface IdempotencyKeyRow {
  applicationId: string;
  keyDigest: string;
  /**
   * Id of the attempt that holds the lease of the idempotency key. After the lease expires, another attempt can acquire
   * it.
   */
  runId: string;
  /** Fingerprint of the first API call with this idempotency key. The service refuses other calls with the key. */
  fingerprint: string;
  /** Encrypted response to the API call. `null` while the call is still running. */
  response: string | null;
  leaseUntil: number;
  expiresAt: number;
  /** Ids of the account and the connection in the stored response. Deleting either of them deletes this row too. */
  accountId: string | null;
  connectionId: string | null;
}

export interface AuditEventRow {
  id: string;
  at: number;
  /** Id of the application. `null` for an audit event that is about no application. */
  applicationId: string | null;
  /** Person, application or program that caused the audit event, in the format of `Caller.actor` in caller.ts. */
  actor: string;
  action: string;
  /** Id of the object that the audited action changed. */
  object: string;
  result: 'done' | 'refused';
  reason: string | null;
  requestId: string | null;
  /** IP address of the client whose request caused the audit event. `null` if no client caused it. */
  address: string | null;
}
