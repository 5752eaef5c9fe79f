import type { Kysely } from 'kysely';
import type { AccountStatusReason, StoredConnectionReason } from '../names/status-reasons.js';
import type { CallApprovalRow } from './approval-rows.js';
import type { AuthorizationFlowRow, AuthorizationLinkRow, PendingApprovalRow } from './authorization-rows.js';
import type { AgentAccessRow, AgentClientRow, AgentGrantRow, AgentSignInRow } from './grant-rows.js';
import type {
  AnsweredChallengeRow,
  OperatorPasskeyRow,
  OperatorRow,
  OperatorSessionRow,
  OperatorSignInLinkRow,
} from './operator-rows.js';
import type { ApplicationOriginRow, NarrowedTokenCallRow, NarrowedTokenRow } from './token-rows.js';

/** Tables as the queries see them. Times are milliseconds since 1970; columns are snake_case in SQL. */
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
  accounts: AccountRow;
  authorizationLinks: AuthorizationLinkRow;
  authorizationFlows: AuthorizationFlowRow;
  pendingApprovals: PendingApprovalRow;
  callApprovals: CallApprovalRow;
  executions: ExecutionRow;
  executionStatistics: ExecutionStatisticsRow;
  idempotencyKeys: IdempotencyKeyRow;
  auditEvents: AuditEventRow;
  operators: OperatorRow;
  operatorSessions: OperatorSessionRow;
  operatorSignInLinks: OperatorSignInLinkRow;
  operatorPasskeys: OperatorPasskeyRow;
  answeredChallenges: AnsweredChallengeRow;
}

export type Database = Kysely<Schema>;

export interface SettingRow {
  name: string;
  value: string;
}

export interface ApplicationRow {
  id: string;
  name: string;
  /** 1 for an application with real users: then no user is connected without verification. */
  production: number;
  /** URL to which the browser goes after consent, so that the application can say who its user is. */
  verifyUrl: string | null;
  /** JSON array of the URLs to which a browser may be redirected at the end. */
  redirectUrls: string;
  /** Data URL of a PNG or SVG image. */
  logo: string | null;
  createdAt: number;
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
  /** Number of the key, which grows with each rotation; the highest one encrypts. */
  generation: number;
  /** Ciphertext by a root key, with the id of that key. */
  wrappedKey: string;
  /** Upper bound of the encryptions with this key: reserved ahead, in blocks. */
  encryptions: number;
  /** Time since when no value is encrypted with this replaced key; `null` while one is. */
  unusedSince: number | null;
  createdAt: number;
}

/** A setting that is `null` has the value of the connector. */
export interface ConnectionRow {
  id: string;
  applicationId: string;
  name: string;
  connector: string;
  clientId: string | null;
  /** Encrypted. */
  clientSecret: string | null;
  /** Discovered authorization server with which the client id was first used. The id is never sent to another server. */
  clientIssuer: string | null;
  /** JSON array of names. */
  scopes: string | null;
  baseUrl: string | null;
  /** One of the connector's regions, instead of a base URL. */
  region: string | null;
  /** JSON object of base URLs by the names of the connector's secondary hosts. */
  hosts: string | null;
  authorizationEndpoint: string | null;
  tokenEndpoint: string | null;
  revocationEndpoint: string | null;
  /** JSON object that says which calls need a person's approval; `null`: no calls. */
  approve: string | null;
  /** 1 to use a discovered authorization server that does not announce PKCE. */
  allowUnannouncedPkce: number;
  /** Reason why the connection as a whole does not work. */
  statusReason: StoredConnectionReason | null;
  createdAt: number;
  updatedAt: number;
}

/** OAuth client that the service registered with an authorization server. */
export interface ClientRegistrationRow {
  id: string;
  applicationId: string;
  connectionId: string;
  issuer: string;
  redirectUri: string;
  clientId: string;
  /** Encrypted: the server's response, as JSON. */
  answer: string;
  /** Expiry of the client secret; `null` when it does not expire. */
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
  status: AccountStatus;
  statusReason: AccountStatusReason | null;
  /** JSON array of the granted scopes. */
  scopes: string;
  /** JSON array of the scopes to request next time; `null` when no call needed more scopes. */
  wantedScopes: string | null;
  /** Subject of the account at the upstream, when the upstream reports it. */
  subject: string | null;
  /** Discovered authorization server that issued the tokens; `null` when the connector names the server. */
  issuer: string | null;
  /** JSON object of the upstream's names for the user; `null` when it told none. */
  connectedAs: string | null;
  /** Encrypted: the access token, API key or bearer token. */
  accessToken: string | null;
  /** Encrypted. */
  refreshToken: string | null;
  /** JSON object of encrypted secrets by the names of the connector's secondary credentials. */
  credentials: string;
  issuedAt: number | null;
  expiresAt: number | null;
  /** Number that grows with every change of the credentials. */
  version: number;
  /** Time before a token request, cleared by its outcome: a value means that the outcome is unknown. */
  refreshStartedAt: number | null;
  /** End of the last call with this account, to within five minutes. */
  usedAt: number | null;
  createdAt: number;
  updatedAt: number;
}

export interface ExecutionRow {
  id: string;
  applicationId: string;
  accountId: string;
  connectionName: string;
  kind: 'tool' | 'proxy';
  toolName: string | null;
  method: string | null;
  /** HTTP status of the response to the caller. */
  status: number;
  errorCode: string | null;
  upstreamStatus: number | null;
  durationMs: number;
  startedAt: number;
  requestId: string;
  /** Requests that were sent upstream. */
  attempts: number | null;
  /** 1 when the credential was refreshed during the call. */
  refreshed: number | null;
  /** Time spent waiting for responses of the upstream. */
  upstreamMs: number | null;
  /** Time spent waiting for a slot. */
  waitedMs: number | null;
}

/**
 * Upper bounds in milliseconds of the columns that count calls by their duration. The last column counts longer calls too.
 * Each bound is a column: a change of this list needs a migration.
 */
export const LATENCY_BOUNDS_MS = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 60_000, 600_000,
] as const;

/** Sums of the executions of a connection that started within the same five minutes. */
export interface ExecutionStatisticsRow {
  applicationId: string;
  /** Start of the five minutes. */
  at: number;
  connectionName: string;
  calls: number;
  errors: number;
  /** Calls by duration, in columns named for `LATENCY_BOUNDS_MS`. */
  [latency: `ms${number}`]: number;
}

export interface IdempotencyKeyRow {
  applicationId: string;
  keyDigest: string;
  /** Run that has the lease of the key. A later run takes it over when the lease expires. */
  runId: string;
  /** Fingerprint of the request that came with the key. */
  fingerprint: string;
  /** Encrypted response; `null` while the run goes on. */
  answer: string | null;
  leaseUntil: number;
  expiresAt: number;
  /** Account and connection that the response is about. Their deletion deletes this row. */
  accountId: string | null;
  connectionId: string | null;
}

export interface AuditEventRow {
  id: string;
  at: number;
  /** `null` for an event that concerns no application. */
  applicationId: string | null;
  /** Actor, as caller.ts spells it. */
  actor: string;
  action: string;
  /** Id of the object of the action. */
  object: string;
  result: 'done' | 'refused';
  reason: string | null;
  requestId: string | null;
  /** IP address of the request. */
  address: string | null;
}
