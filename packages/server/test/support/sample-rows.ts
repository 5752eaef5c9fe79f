import type { CallApprovalRow } from '../../src/storage/approval-rows.js';
import type {
  AuthorizationFlowRow,
  AuthorizationLinkRow,
  PendingApprovalRow,
} from '../../src/storage/authorization-rows.js';
import type {
  AgentAccessRow,
  AgentClientRow,
  AgentGrantRow,
  AgentSignInRow,
} from '../../src/storage/grant-rows.js';
import type { OperatorPasskeyRow, OperatorRow, OperatorSessionRow } from '../../src/storage/operator-rows.js';
import type {
  AccessTokenRow,
  AccountRow,
  ApplicationRow,
  AuditEventRow,
  ClientRegistrationRow,
  ClientSecretRow,
  ConnectionRow,
  DataKeyRow,
  ExecutionRow,
  IdempotencyKeyRow,
} from '../../src/storage/schema.js';
import type { NarrowedTokenCallRow, NarrowedTokenRow } from '../../src/storage/token-rows.js';

// Sample row of every table, with the foreign keys that it needs.

export const APP = 'app_1';
const own = { applicationId: APP } as const;
const ofAccount = { ...own, accountId: 'acct_1' } as const;
const ways = { replaceSubject: 0, successUrl: null, applicationState: null } as const;
const made = { createdAt: 1 } as const;

export const APPLICATION: ApplicationRow = {
  id: APP,
  name: 'a',
  production: 0,
  verifyUrl: null,
  redirectUrls: '[]',
  logo: null,
  color: null,
  allowTokenImport: 0,
  ...made,
};
export const SECRET: ClientSecretRow = { id: 'secret_1', ...own, digest: 'd', revokedAt: null, ...made };
export const TOKEN: AccessTokenRow = { digest: 'd', ...own, clientSecretId: SECRET.id, expiresAt: 9 };
export const NARROWED: NarrowedTokenRow = {
  id: 'tok_1',
  ...own,
  clientSecretId: SECRET.id,
  kind: 'agent',
  limits: '{}',
  expiresAt: 9,
  revokedAt: null,
  ...made,
};
export const CALLS: NarrowedTokenCallRow = {
  ...own,
  tokenId: NARROWED.id,
  sealDigest: 's',
  used: 1,
  expiresAt: 9,
};
export const AGENT_ACCESS: AgentAccessRow = {
  id: APP,
  ...own,
  signInUrl: 'u',
  issuer: null,
  clientId: null,
  clientSecret: null,
  claim: null,
  scopes: null,
  registration: 0,
  limits: '{}',
  ...made,
};
export const AGENT_CLIENT: AgentClientRow = {
  id: 'client_1',
  ...own,
  name: 'n',
  redirectUris: '[]',
  ...made,
};
const ofClient = { clientId: AGENT_CLIENT.id, clientName: 'n', resource: 'r', limits: '[]' } as const;
export const AGENT_SIGN_IN: AgentSignInRow = {
  id: 'asign_1',
  ...own,
  ...ofClient,
  redirectUri: 'u',
  state: null,
  codeChallenge: 'c',
  ticketDigest: 't',
  issuer: null,
  browserDigest: 'b',
  identifier: null,
  returnDigest: null,
  codeDigest: null,
  grantId: null,
  endedAt: null,
  expiresAt: 9,
};
export const AGENT_GRANT: AgentGrantRow = {
  id: 'grant_1',
  ...own,
  ...ofClient,
  identifier: 'ada',
  generation: 1,
  usedAt: 1,
  expiresAt: 9,
  revokedAt: null,
  ...made,
};
export const KEY: DataKeyRow = {
  id: 'key_1',
  ...own,
  generation: 1,
  wrappedKey: 'w',
  encryptions: 0,
  unusedSince: null,
  ...made,
};
export const CONNECTION: ConnectionRow = {
  id: 'conn_1',
  ...own,
  name: 'mail',
  connector: 'mail',
  clientId: null,
  clientSecret: null,
  clientIssuer: null,
  allowUnannouncedPkce: 0,
  scopes: null,
  baseUrl: null,
  region: null,
  hosts: null,
  authorizationEndpoint: null,
  tokenEndpoint: null,
  revocationEndpoint: null,
  approve: null,
  statusReason: null,
  testedAt: null,
  testFailure: null,
  createdAt: 1,
  updatedAt: 1,
};
export const REGISTRATION: ClientRegistrationRow = {
  id: 'reg_1',
  ...own,
  connectionId: CONNECTION.id,
  issuer: 'i',
  redirectUri: 'r',
  clientId: 'c',
  response: 'a',
  expiresAt: null,
  createdAt: 1,
};
export const ACCOUNT: AccountRow = {
  id: 'acct_1',
  ...own,
  connectionId: CONNECTION.id,
  identifier: 'ada',
  account: '',
  status: 'authorized',
  statusReason: null,
  scopes: '[]',
  wantedScopes: null,
  subject: null,
  issuer: null,
  connectedAs: null,
  accessToken: null,
  refreshToken: null,
  credentials: '{}',
  importedToken: null,
  issuedAt: null,
  expiresAt: null,
  version: 1,
  refreshStartedAt: null,
  refreshFailingSince: null,
  refreshFailedAt: null,
  refreshFailure: null,
  usedAt: null,
  metadata: '{}',
  tags: '[]',
  createdAt: 1,
  updatedAt: 1,
};
export const LINK: AuthorizationLinkRow = {
  id: 'link_1',
  ...ofAccount,
  tokenDigest: 'd',
  ...ways,
  failureUrl: null,
  requestedScopes: null,
  uiLocales: null,
  openerOrigin: null,
  expiresAt: 9,
  usedAt: null,
  browserDigest: null,
  outcome: null,
  endedAt: null,
  refusedAt: null,
};
export const FLOW: AuthorizationFlowRow = {
  id: 'flow_1',
  ...ofAccount,
  connectionId: CONNECTION.id,
  linkId: 'link_1',
  stateDigest: 's',
  browserDigest: 'b',
  codeVerifier: 'v',
  clientId: 'c',
  issuer: null,
  tokenEndpoint: 't',
  scopes: '[]',
  ...ways,
  failureUrl: null,
  expiresAt: 9,
  consumedAt: null,
  refusedAt: null,
};
export const PENDING: PendingApprovalRow = {
  id: 'pend_1',
  ...ofAccount,
  connectionId: CONNECTION.id,
  linkId: 'link_1',
  requestDigest: 'd',
  tokens: 't',
  tokenEndpoint: 't',
  scopes: '[]',
  subject: null,
  issuer: null,
  connectedAs: null,
  ...ways,
  issuedAt: 1,
  expiresAt: 9,
};
export const EXECUTION: ExecutionRow = {
  id: 'exec_1',
  ...ofAccount,
  connectionName: 'mail',
  kind: 'tool',
  toolName: 'mail_send',
  method: null,
  status: 200,
  errorCode: null,
  upstreamStatus: 200,
  durationMs: 12,
  startedAt: 1,
  requestId: 'req_1',
  traceId: null,
  serviceVersion: '0.0.0',
  attempts: 1,
  refreshed: 0,
  upstreamMs: 9,
  waitedMs: 0,
};
export const RUN: IdempotencyKeyRow = {
  ...own,
  keyDigest: 'k',
  runId: 'r',
  fingerprint: 'f',
  response: null,
  leaseUntil: 9,
  expiresAt: 9,
  accountId: null,
  connectionId: null,
};
export const CALL_APPROVAL: CallApprovalRow = {
  id: 'appr_1',
  ...ofAccount,
  callKey: 'c',
  toolName: 'mail_send',
  schemaVersion: '1.0.0',
  toolVersion: '1.0.0',
  caller: APP,
  question: 'q',
  status: 'pending',
  holdsUntil: 9,
  ...made,
  decidedBy: null,
  decidedAt: null,
  reason: null,
  executionId: null,
  result: null,
};
export const EVENT: AuditEventRow = {
  id: 'audit_1',
  at: 1,
  ...own,
  actor: 'a',
  action: 'b',
  object: 'o',
  result: 'done',
  reason: null,
  requestId: null,
  address: null,
};
export const OPERATOR: OperatorRow = {
  id: 'op_1',
  name: 'ada',
  role: 'owner',
  passwordHash: 'h',
  signedInAt: null,
  ...made,
};
export const SESSION: OperatorSessionRow = {
  digest: 'd',
  operatorId: OPERATOR.id,
  signedInBy: 'password',
  usedAt: 1,
  ...made,
};

export const PASSKEY: OperatorPasskeyRow = {
  id: 'passkey_1',
  operatorId: OPERATOR.id,
  credentialId: 'c',
  publicKey: 'k',
  counter: 0,
  name: 'Phone',
  usedAt: null,
  ...made,
};
