import { createIdempotency } from '../../../src/applications/idempotency.js';
import { callApprovalLocation } from '../../../src/approvals/call-approval.js';
import { sealSecret } from '../../../src/events/endpoint-secrets.js';
import { payloadLocation } from '../../../src/events/event-payload.js';
import { secret } from '../../../src/secret.js';
import type { SecretLocation } from '../../../src/vault/vault.js';
import { watchLocation } from '../../../src/watches/prepare-poll.js';
import { createTenant, type Tenant } from '../service/create-tenant.js';
import { addApplication } from '../service/service-parts.js';
import { ENDPOINT, WATCH } from './sample-rows.js';

async function addRegistration({ storage, vault }: Tenant, applicationId: string, connectionId: string) {
  const key = { applicationId, id: `client_${connectionId}` };
  const location: SecretLocation = {
    applicationId,
    table: 'client_registrations',
    rowId: key.id,
    column: 'response',
  };
  await storage.clientRegistrations.insert({
    ...key,
    connectionId,
    issuer: 'https://auth.example.com',
    redirectUri: 'https://svc.example.com/callback',
    clientId: 'registered',
    response: await vault.seal(location, secret('{"client_secret":"registered secret"}')),
    expiresAt: null,
    createdAt: 1,
  });
}

async function addAgentAccess({ storage, vault }: Tenant, applicationId: string): Promise<void> {
  const location: SecretLocation = {
    applicationId,
    table: 'agent_accesses',
    rowId: applicationId,
    column: 'client_secret',
  };
  await storage.agentAccesses.put({
    id: applicationId,
    applicationId,
    signInUrl: null,
    issuer: 'https://issuer.example.com',
    clientId: 'client',
    clientSecret: await vault.seal(location, secret('secret at the issuer')),
    claim: 'sub',
    scopes: '["openid"]',
    registration: 0,
    limits: '{}',
    createdAt: 1,
  });
}

async function addEndpoint({ storage, vault }: Tenant, applicationId: string): Promise<void> {
  const key = { applicationId, id: `ep_${applicationId}` };
  const seal = (column: 'secret' | 'previous_secret', value: string) =>
    sealSecret(vault, key, { column, value });
  await storage.webhookEndpoints.insert({
    ...ENDPOINT,
    ...key,
    secret: await seal('secret', 'a signing secret'),
    previousSecret: await seal('previous_secret', 'a previous signing secret'),
    previousSecretUntil: Number.MAX_SAFE_INTEGER,
  });
}

async function addPayload({ storage, vault }: Tenant, applicationId: string): Promise<void> {
  const key = { applicationId, id: `evt_${applicationId}` };
  await storage.events.insert([
    {
      ...key,
      type: 'convintel.conversation_played',
      at: 1,
      body: '{}',
      payload: await vault.seal(payloadLocation(key), secret('{"a":"payload"}')),
    },
  ]);
}

async function addKeyed({ connections, accounts }: Tenant, applicationId: string): Promise<void> {
  await connections.create(applicationId, { connectionName: 'keyed', connector: 'keyed' });
  const name = { connectionName: 'keyed', identifier: 'ada' };
  const given = { apiKey: 'an API key', credentials: { tracking_token: 'a tracking token' } };
  await accounts.getOrCreate(applicationId, name, given);
}

async function addResponse(tenant: Tenant, applicationId: string): Promise<void> {
  const { begin } = createIdempotency(tenant);
  const begun = await begin({ applicationId, key: `key of ${applicationId}`, request: 'request' });
  if ('run' in begun) {
    await begun.run.store(
      { status: 200, body: 'a response' },
      { connectionName: 'keyed', identifier: 'ada' },
    );
  }
}

async function addPending({ storage, vault }: Tenant, applicationId: string): Promise<void> {
  const account = await storage.accounts.findByName(applicationId, {
    connectionName: 'keyed',
    identifier: 'ada',
  });
  const id = `pending_${applicationId}`;
  const location: SecretLocation = { applicationId, table: 'pending_approvals', rowId: id, column: 'tokens' };
  await storage.pendingConsents.insert({
    id,
    applicationId,
    connectionId: account?.connectionId ?? '',
    accountId: account?.id ?? '',
    linkId: 'link_1',
    requestDigest: id,
    tokens: await vault.seal(location, secret('{"accessToken":"a pending token"}')),
    tokenEndpoint: 'https://auth.example.com/token',
    scopes: '[]',
    subject: null,
    issuer: null,
    connectedAs: null,
    replaceSubject: 0,
    successUrl: null,
    applicationState: null,
    issuedAt: 1,
    expiresAt: Number.MAX_SAFE_INTEGER,
  });
}

async function addApproval({ storage, vault }: Tenant, applicationId: string): Promise<void> {
  const account = await storage.accounts.findByName(applicationId, {
    connectionName: 'keyed',
    identifier: 'ada',
  });
  const id = `appr_${applicationId}`;
  const locationOf = (column: 'question' | 'reason' | 'result') =>
    callApprovalLocation({ applicationId, id }, column);
  await storage.callApprovals.insert({
    id,
    applicationId,
    accountId: account?.id ?? '',
    callKey: id,
    toolName: 'keyed_run',
    schemaVersion: '1.0.0',
    toolVersion: '1.0.0',
    caller: applicationId,
    question: await vault.seal(locationOf('question'), secret('{"sentence":"Run it","input":{}}')),
    status: 'executed',
    holdsUntil: Number.MAX_SAFE_INTEGER,
    createdAt: 1,
    decidedBy: 'user',
    decidedAt: 2,
    reason: await vault.seal(locationOf('reason'), secret('a reason')),
    executionId: null,
    result: await vault.seal(locationOf('result'), secret('{"data":"a result"}')),
  });
}

async function addWatch({ storage, vault }: Tenant, applicationId: string): Promise<void> {
  const account = await storage.accounts.findByName(applicationId, {
    connectionName: 'keyed',
    identifier: 'ada',
  });
  const key = { applicationId, id: `watch_${applicationId}` };
  await storage.watches.insert({
    ...WATCH,
    ...key,
    accountId: account?.id ?? '',
    input: await vault.seal(watchLocation(key, 'input'), secret('{"query":"a watched word"}')),
    cursor: await vault.seal(watchLocation(key, 'cursor'), secret('{"token":"a sync token"}')),
    nextAt: null,
  });
}

/** Creates two applications with a value in every sealed (encrypted) column. */
export async function createSealed() {
  const tenant = await createTenant();
  const other = await addApplication(tenant, 'Other');
  for (const identifier of ['ada', 'bob']) await tenant.connect(identifier);
  for (const applicationId of [tenant.applicationId, other]) {
    const settings = {
      connectionName: 'second',
      connector: 'mail',
      clientId: 'x',
      clientSecret: 'a client secret',
    };
    const { id } = await tenant.connections.create(applicationId, settings);
    await addRegistration(tenant, applicationId, id);
    await addKeyed(tenant, applicationId);
    await addAgentAccess(tenant, applicationId);
    await addEndpoint(tenant, applicationId);
    await addPayload(tenant, applicationId);
    await addPending(tenant, applicationId);
    await addApproval(tenant, applicationId);
    await addWatch(tenant, applicationId);
    await addResponse(tenant, applicationId);
  }
  return { ...tenant, other };
}

export type Sealed = Awaited<ReturnType<typeof createSealed>>;
