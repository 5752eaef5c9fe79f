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
  /** Tokens that wait for the user's verification. The table keeps its name of release 1.0.0. */
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
  /** 1 for an application with real users. Its users are connected only after the application has verified them. */
  production: number;
  /**
   * URL of the application to which the browser is redirected after consent, so that the application verifies its user.
   */
  verifyUrl: string | null;
  /** JSON array of the URLs to which the service may redirect the browser after the consent. */
  redirectUrls: string;
  /** Logo of the application: data URL of a PNG or SVG image. */
  logo: string | null;
  /** Color of the main button on the connect pages, such as `#0f6b5c`; `null` for the color of the service. */
  color: string | null;
  /** 1 if the application may import OAuth tokens that it already has. */
  allowTokenImport: number;
  createdAt: number;
}

/** Browser origin that an application registered for CORS. */
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
  /** Ciphertext of the data key, encrypted by a root key, with the id of that root key. */
  wrappedKey: string;
  /**
   * Number of encryptions that instances have reserved for this data key. Instances reserve encryptions in blocks, so
   * the number of encryptions that they made is lower.
   */
  encryptions: number;
  /**
   * Time at which the last value that was encrypted with this data key was gone, in milliseconds since 1970. `null`
   * while such a value exists.
   */
  unusedSince: number | null;
  createdAt: number;
}

/** Connection of an application to a connector. Columns that are `null` have the connector's default. */
export interface ConnectionRow {
  id: string;
  applicationId: string;
  name: string;
  connector: string;
  clientId: string | null;
  /** Encrypted client secret of the OAuth client; `null` without a client secret. */
  clientSecret: string | null;
  /**
   * Issuer of the discovered authorization server with which the client id was first used. The client id is never sent
   * to another server.
   */
  clientIssuer: string | null;
  /** JSON array of the OAuth scopes that the connection requests. */
  scopes: string | null;
  baseUrl: string | null;
  /** Name of the connector's region that the connection uses. The region determines the base URL. */
  region: string | null;
  /** JSON object: base URLs of the connector's secondary hosts, by host name in the connector. */
  hosts: string | null;
  authorizationEndpoint: string | null;
  tokenEndpoint: string | null;
  revocationEndpoint: string | null;
  /** JSON object: approval policy that says which calls need a person's approval; `null` when no call does. */
  approve: string | null;
  /** 1 if a discovered authorization server may be used although it does not announce PKCE. */
  allowUnannouncedPkce: number;
  /** 1 if executions keep the error code and the message of the upstream. */
  storeUpstreamErrors: number;
  /** Reason why the connection does not work for any account; `null` while it works. */
  statusReason: StoredConnectionReason | null;
  /** Time of the last test; `null` if the connection was not tested since its settings were changed. */
  testedAt: number | null;
  /** JSON object: failed steps of the last test and their message; `null` if the last test passed. */
  testFailure: string | null;
  createdAt: number;
  updatedAt: number;
}

/** OAuth client that the service registered dynamically with an authorization server. */
export interface ClientRegistrationRow {
  id: string;
  applicationId: string;
  connectionId: string;
  issuer: string;
  redirectUri: string;
  clientId: string;
  /**
   * Encrypted JSON: the authorization server's response to the client registration, which includes the client secret.
   */
  response: string;
  /** Time when the client secret of the OAuth client expires; `null` when it does not expire. */
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
  /** Label that tells several accounts of one user on one connection apart; empty without a label. */
  account: string;
  status: AccountStatus;
  statusReason: AccountStatusReason | null;
  /** JSON array of the OAuth scopes that the user granted. */
  scopes: string;
  /** JSON array of additional scopes for the next consent; `null` when no call needed more scopes. */
  wantedScopes: string | null;
  /** Id of the user at the upstream; `null` when the upstream does not report an id. */
  subject: string | null;
  /**
   * Issuer of the discovered authorization server that issued the tokens; `null` when the connector defines the server.
   */
  issuer: string | null;
  /** JSON object: display names of the user at the upstream; `null` when the upstream reported none. */
  connectedAs: string | null;
  /** Encrypted access token, API key or bearer token of the account. */
  accessToken: string | null;
  /** Encrypted refresh token of the account; `null` if the upstream issued none. */
  refreshToken: string | null;
  /** JSON object: encrypted secrets that the connector needs besides the main credential, by name. */
  credentials: string;
  /** Keyed digest of the imported token, which recognizes a repeated import; `null` if no token was imported. */
  importedToken: string | null;
  issuedAt: number | null;
  expiresAt: number | null;
  /** Version of the account's credentials, which increases with every change. */
  version: number;
  /**
   * Time when a token refresh started; `null` after its outcome is stored. A value from an interrupted refresh means
   * that the outcome is unknown.
   */
  refreshStartedAt: number | null;
  /** Time of the first of the failed token refreshes since the last success; `null` if the last refresh succeeded. */
  refreshFailingSince: number | null;
  /** Time of the last failed token refresh; `null` if the last refresh succeeded. */
  refreshFailedAt: number | null;
  /** Reason of the last failed token refresh, such as `unavailable`; `null` if the last refresh succeeded. */
  refreshFailure: string | null;
  /**
   * Time when the account's current secrets were stored without a test; `null` after a test or a call succeeded with
   * them.
   */
  untestedSince: number | null;
  /** Time when the last call of this account ended, accurate to five minutes. */
  usedAt: number | null;
  /** JSON object of the application's own data about the account. */
  metadata: string;
  /** JSON array of the application's tags. */
  tags: string;
  createdAt: number;
  updatedAt: number;
}

export interface AccountSearchColumns {
  /** User identifier in lower case, which searches compare. */
  identifierKey: Generated<string>;
}

/** Search term of an account, by which accounts are listed: a tag, a metadata entry or the label. */
export interface AccountTermRow {
  applicationId: string;
  accountId: string;
  /** User identifier of the account, which never changes. Lists are sorted by it. */
  identifier: string;
  term: string;
}

export interface ExecutionRow {
  id: string;
  applicationId: string;
  /** Id of the account; `null` if the call ended before the service had found an account. */
  accountId: string | null;
  /** Name of the connection, as the call named it if `accountId` is `null`. Empty if the call named none. */
  connectionName: string;
  /** Identifier of the user that the call named; `null` if the account is known or the call named no user. */
  identifier: string | null;
  kind: 'tool' | 'proxy';
  toolName: string | null;
  method: string | null;
  /** Path of a proxied request without ids and query; `null` for tools. */
  path: string | null;
  /** HTTP status of the service's response to the caller. */
  status: number;
  errorCode: string | null;
  upstreamStatus: number | null;
  durationMs: number;
  startedAt: number;
  requestId: string;
  /** Id of the caller's trace; `null` without a valid `traceparent`. */
  traceId: string | null;
  /** Version of the service that ran the execution. */
  serviceVersion: string;
  /** Number of requests that the call sent to the upstream, including retries. */
  attempts: number | null;
  /** 1 if the access token was refreshed during the call. */
  refreshed: number | null;
  /** Milliseconds that the call waited for responses of the upstream. */
  upstreamMs: number | null;
  /** Milliseconds that the call waited for a free slot of the concurrency limit. */
  waitedMs: number | null;
  /** Milliseconds that the call paused before it repeated upstream requests. */
  pausedMs: number | null;
  /** Number of equal refused calls that the row stands for; 1 for every other call. */
  count: number;
  /** Cause of a failure as JSON; `null` for a call without an error. */
  cause: string | null;
  /** First requests to the upstream as JSON; `null` for a single request that got a response, and for none. */
  requests: string | null;
}

/** User that a call, token or grant named. The user may have no connected account. */
export interface NamedUserRow {
  applicationId: string;
  identifier: string;
  /** The identifier in lower case, for searches. */
  identifierKey: string;
  /** Last time when a call, token or grant named the user, in milliseconds since 1970, correct to an hour. */
  seenAt: number;
}

/** Request that the service answered with an error, and that has no execution of its own. */
export interface FailedRequestRow {
  requestId: string;
  /** Id of the application; `null` if the request failed before the service knew its application. */
  applicationId: string | null;
  /** Id of the execution that counts this call together with equal calls; `null` for every other request. */
  executionId: string | null;
  /** Author of the request, in the format of `Caller.actor` in caller.ts. */
  actor: string;
  /** Method and path pattern of the request, or the name of the called tool. */
  operation: string;
  status: number;
  errorCode: string;
  /** Cause as JSON, in the format of the column `cause` of executions; `null` if only the error code is known. */
  cause: string | null;
  /** Id of an object that the request named; `null` if it named none. */
  object: string | null;
  /** Id of a second object that the request named, such as the endpoint of a delivery. */
  otherObject: string | null;
  at: number;
}

/**
 * Upper bounds of the duration buckets of calls, in milliseconds. The last bucket also counts longer calls. Each bound
 * is a column of the statistics, so a change of this list needs a migration.
 */
export const LATENCY_BOUNDS_MS = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 60_000, 600_000,
] as const;

/** Call counters of one connection for executions that started within the same five minutes. */
export interface ExecutionStatisticsRow {
  applicationId: string;
  /** Start of the five minutes that the row counts, in milliseconds since 1970. */
  at: number;
  connectionName: string;
  calls: number;
  errors: number;
  /** Number of calls per duration bucket, one column for each bound in `LATENCY_BOUNDS_MS`. */
  [latency: `ms${number}`]: number;
}

export interface IdempotencyKeyRow {
  applicationId: string;
  keyDigest: string;
  /**
   * Id of the attempt that holds the lease of the idempotency key. A later attempt can acquire the lease after it
   * expires.
   */
  runId: string;
  /** Fingerprint of the first API call with this idempotency key. Another API call with the same key is refused. */
  fingerprint: string;
  /** Encrypted response to the API call; `null` while the call is still running. */
  response: string | null;
  leaseUntil: number;
  expiresAt: number;
  /** Ids of the account and the connection in the stored response. Deleting either also deletes this row. */
  accountId: string | null;
  connectionId: string | null;
}

export interface AuditEventRow {
  id: string;
  at: number;
  /** Id of the application; `null` for an audit event that concerns no application. */
  applicationId: string | null;
  /** Actor of the audit event, in the format of `Caller.actor` in caller.ts. */
  actor: string;
  action: string;
  /** Id of the object that the audited action changed. */
  object: string;
  result: 'done' | 'refused';
  reason: string | null;
  requestId: string | null;
  /** IP address of the client whose request caused the audit event; `null` if no client caused it. */
  address: string | null;
}
