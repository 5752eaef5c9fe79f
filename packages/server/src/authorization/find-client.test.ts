import { expect, test } from 'vitest';
import { HOUR_MS } from '../../test/support/service/create-connected.js';
import { createDiscovered } from '../../test/support/service/create-discovered.js';
import { ENVIRONMENT_URL } from '../../test/support/service/create-tenant.js';

const TAKES_DOCUMENTS = { client_id_metadata_document_supported: true };
const BY_BODY = { token_endpoint_auth_methods_supported: ['client_secret_post'] };
const OWN = { clientId: 'client', clientSecret: 'client-secret' };

const clientIdIn = ({ redirectTo }: { redirectTo: string }) =>
  new URL(redirectTo).searchParams.get('client_id');
const documentUrlOf = ({ id }: { id: string }) => `${ENVIRONMENT_URL}/sso/v1/oauth/${id}/client-metadata`;

test('O14: a configured client precedes a metadata document and a registration', async () => {
  const { connect, begin, said, registrations } = await createDiscovered({ settings: OWN });
  said.metadata = { ...TAKES_DOCUMENTS, ...BY_BODY };
  await connect('ada');
  expect(clientIdIn(await begin('ada'))).toBe('client');
  expect(registrations()).toBe(0);
});

test('O14: a metadata document precedes a registration and needs no secret', async () => {
  const { begin, complete, connection, upstream, said, registrations } = await createDiscovered();
  said.metadata = TAKES_DOCUMENTS;
  const begun = await begin('ada');
  expect(clientIdIn(begun)).toBe(documentUrlOf(connection));
  upstream.script(() => ({ status: 200, body: { access_token: 'token', token_type: 'bearer' } }));
  await complete(upstream.approve(begun.redirectTo));
  const [request] = upstream.tokenRequests();
  expect(request?.parameters).toMatchObject({ client_id: documentUrlOf(connection) });
  expect(request?.parameters).not.toHaveProperty('client_secret');
  expect(request?.headers.authorization).toBeUndefined();
  expect(registrations()).toBe(0);
});

test('O14: a client is registered when the server or the environment does not support documents', async () => {
  const ordinary = await createDiscovered();
  expect(clientIdIn(await ordinary.begin('ada'))).toBe('client');
  const local = await createDiscovered({ parts: { environmentUrl: 'http://localhost:4400' } });
  local.said.metadata = TAKES_DOCUMENTS;
  await local.links.create(local.applicationId, { connectionName: 'mail', identifier: 'ada' });
  expect([ordinary.registrations(), local.registrations()]).toEqual([1, 1]);
});

test('O14: the metadata document of the operator is used for every connection', async () => {
  const clientMetadataUrl = 'https://static.example.com/client.json';
  const { begin, said } = await createDiscovered({ parts: { clientMetadataUrl } });
  said.metadata = TAKES_DOCUMENTS;
  expect(clientIdIn(await begin('ada'))).toBe(clientMetadataUrl);
});

test('O14: a registered client is kept when the server begins to support documents', async () => {
  const { connect, begin, clock, said, registrations } = await createDiscovered();
  await connect('ada');
  said.metadata = TAKES_DOCUMENTS;
  clock.advance(2 * HOUR_MS);
  expect(clientIdIn(await begin('ada'))).toBe('client');
  expect(registrations()).toBe(1);
});

test('O14: a connection without a possible client names the settings to set', async () => {
  const { links, applicationId, said } = await createDiscovered();
  said.metadata = { registration_endpoint: undefined };
  await expect(
    links.create(applicationId, { connectionName: 'mail', identifier: 'ada' }),
  ).rejects.toMatchObject({
    code: 'connection_not_configured',
    message: expect.stringContaining('Set clientId and clientSecret with PATCH /v1/connections/mail'),
  });
});

test('O14: a configured client is sent only to its first issuer, until it is configured again', async () => {
  const { connect, begin, clock, credentials, said, upstream, connections, applicationId } =
    await createDiscovered({ settings: OWN });
  said.metadata = BY_BODY;
  const resolved = await connect('ada');
  said.issuer = 'https://other.mail.example';
  clock.advance(2 * HOUR_MS);
  const before = upstream.requests.length;
  for (const use of [() => credentials.current(resolved), () => begin('grace')]) {
    await expect(use()).rejects.toMatchObject({
      code: 'connection_not_configured',
      message: expect.stringContaining('belongs to the previous authorization server'),
    });
  }
  expect(upstream.requests).toHaveLength(before);
  await connections.update(applicationId, 'mail', OWN);
  expect(clientIdIn(await begin('grace'))).toBe('client');
});
