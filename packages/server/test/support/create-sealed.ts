import { secret } from '../../src/secret.js';
import { createIdempotency } from '../../src/tenants/idempotency.js';
import type { Place } from '../../src/vault/vault.js';
import { createTenant, type Tenant } from './create-tenant.js';
import { addApplication } from './service-parts.js';

async function addRegistration({ storage, vault }: Tenant, applicationId: string, connectionId: string) {
  const key = { applicationId, id: `client_${connectionId}` };
  const place: Place = { applicationId, table: 'client_registrations', rowId: key.id, column: 'answer' };
  await storage.clientRegistrations.insert({
    ...key,
    connectionId,
    issuer: 'https://auth.example.com',
    redirectUri: 'https://svc.example.com/callback',
    clientId: 'registered',
    answer: await vault.seal(place, secret('{"client_secret":"registered secret"}')),
    expiresAt: null,
    createdAt: 1,
  });
}

async function addKeyed({ connections, accounts }: Tenant, applicationId: string): Promise<void> {
  await connections.create(applicationId, { connectionName: 'keyed', connector: 'keyed' });
  const name = { connectionName: 'keyed', identifier: 'ada' };
  const given = { apiKey: 'an API key', credentials: { tracking_token: 'a tracking token' } };
  await accounts.getOrCreate(applicationId, name, given);
}

async function addAnswer(tenant: Tenant, applicationId: string): Promise<void> {
  const { begin } = createIdempotency(tenant);
  const begun = await begin({ applicationId, key: `key of ${applicationId}`, request: 'request' });
  if ('run' in begun) {
    await begun.run.keep({ status: 200, body: 'an answer' }, { connectionName: 'keyed', identifier: 'ada' });
  }
}

async function addPending({ storage, vault }: Tenant, applicationId: string): Promise<void> {
  const account = await storage.accounts.findByIdentifier(applicationId, 'keyed', 'ada');
  const id = `pending_${applicationId}`;
  const place: Place = { applicationId, table: 'pending_approvals', rowId: id, column: 'tokens' };
  await storage.pendingApprovals.insert({
    id,
    applicationId,
    connectionId: account?.connectionId ?? '',
    accountId: account?.id ?? '',
    requestDigest: id,
    tokens: await vault.seal(place, secret('{"accessToken":"a pending token"}')),
    tokenEndpoint: 'https://auth.example.com/token',
    scopes: '[]',
    subject: null,
    issuer: null,
    replaceSubject: 0,
    successUrl: null,
    issuedAt: 1,
    expiresAt: Number.MAX_SAFE_INTEGER,
  });
}

/** Two applications with something in every sealed column. */
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
    await addPending(tenant, applicationId);
    await addAnswer(tenant, applicationId);
  }
  return { ...tenant, other };
}

export type Sealed = Awaited<ReturnType<typeof createSealed>>;
