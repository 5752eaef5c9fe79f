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

/** The tables as the queries see them. Times are milliseconds since 1970; columns are snake_case in SQL. */
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

export interface SettingRow {
  name: string;
  value: string;
}

export interface ApplicationRow {
  id: string;
  name: string;
  /** 1 when real users come: then nobody is connected without verification. */
  production: number;
  /** Where the browser goes after an approval, so that the application can say who its user is; `null` when there is none. */
  verifyUrl: string | null;
  /** A JSON array of the URLs that a browser may be sent to in the end. */
  redirectUrls: string;
  /** A data URL of a PNG or SVG image; `null` when there is none. */
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
  /** Counts up with each rotation; the highest one encrypts. */
  generation: number;
  /** Encrypted by a root key, whose id stands in the text. */
  wrappedKey: string;
  /** How often it may have encrypted: counted ahead, in blocks. */
  encryptions: number;
  /** When nothing was found encrypted with it, after a later generation had taken over; `null` while something is. */
  unusedSince: number | null;
  createdAt: number;
}

/** `null` in a setting means: as the connector has it. */
export interface ConnectionRow {
  id: string;
  applicationId: string;
  name: string;
  connector: string;
  clientId: string | null;
  /** Encrypted. */
  clientSecret: string | null;
  /** The discovered authorization server that the client id was first used with; it is never sent to another. */
  clientIssuer: string | null;
  /** A JSON array of names. */
  scopes: string | null;
  baseUrl: string | null;
  /** One of the connector's regions, in the place of a base URL. */
  region: string | null;
  /** A JSON object of base URLs by the names of the connector's further hosts. */
  hosts: string | null;
  authorizationEndpoint: string | null;
  tokenEndpoint: string | null;
  revocationEndpoint: string | null;
  /** A JSON object: which calls a person is asked about first; none without it. */
  approve: string | null;
  /** Why the connection as a whole does not work. */
  statusReason: StoredConnectionReason | null;
  createdAt: number;
  updatedAt: number;
}

/** The service as a client that registered itself with an authorization server. */
export interface ClientRegistrationRow {
  id: string;
  applicationId: string;
  connectionId: string;
  issuer: string;
  redirectUri: string;
  clientId: string;
  /** Encrypted: everything that the server answered, as JSON. */
  answer: string;
  /** When the client secret ends; `null` when it does not. */
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
  /** A JSON array of the scopes that were granted. */
  scopes: string;
  /** A JSON array of the scopes to ask for next time, where a call needed more; `null` where none did. */
  wantedScopes: string | null;
  /** Who the account is upstream, when the upstream says so. */
  subject: string | null;
  /** The discovered authorization server that its tokens are of; `null` where the connector names the server. */
  issuer: string | null;
  /** Encrypted: the access token, API key or bearer token. */
  accessToken: string | null;
  /** Encrypted. */
  refreshToken: string | null;
  /** A JSON object of encrypted secrets by the names of the connector's further credentials. */
  credentials: string;
  issuedAt: number | null;
  expiresAt: number | null;
  /** Counts up with every change of the credentials. */
  version: number;
  /** Set before a token request, cleared by its outcome: still set means that the outcome is unknown. */
  refreshStartedAt: number | null;
  /** When a call as it ended last, to within some minutes; `null` when none has. */
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
  /** The HTTP status that the caller got. */
  status: number;
  errorCode: string | null;
  upstreamStatus: number | null;
  durationMs: number;
  startedAt: number;
  requestId: string;
  /** Requests that were sent upstream. */
  attempts: number | null;
  /** 1 when its credential was renewed on the way. */
  refreshed: number | null;
  /** How long it waited for the upstream's answers. */
  upstreamMs: number | null;
  /** How long it waited for its turn. */
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
  /** When those minutes began. */
  at: number;
  connectionName: string;
  calls: number;
  errors: number;
  /** How many took how long, in columns named for `LATENCY_BOUNDS_MS`. */
  [latency: `ms${number}`]: number;
}

export interface IdempotencyKeyRow {
  applicationId: string;
  keyDigest: string;
  /** Which run holds the key: a later one takes it over when the lease lapses. */
  runId: string;
  /** Of the request that came with the key. */
  fingerprint: string;
  /** Encrypted; `null` while the run goes on. */
  answer: string | null;
  leaseUntil: number;
  expiresAt: number;
  /** What the answer is about, and goes with when it is deleted. */
  accountId: string | null;
  connectionId: string | null;
}

export interface AuditEventRow {
  id: string;
  at: number;
  /** `null` when it is about no application. */
  applicationId: string | null;
  /** Who did it: see caller.ts. */
  actor: string;
  action: string;
  /** The id of what it was done to. */
  object: string;
  result: 'done' | 'refused';
  reason: string | null;
  requestId: string | null;
  /** Where the request came from. */
  address: string | null;
}
