import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { createServiceParts } from '../../test/support/service/service-parts.js';

async function createFirst() {
  const parts = await createServiceParts();
  const { clientId, clientSecret = '' } = await parts.applications.createFirstApplication({ name: 'First' });
  return { ...parts, clientId, clientSecret };
}

test('the first application is created once, and its client secret is returned once', async () => {
  const { applications, clientId, clientSecret } = await createFirst();
  expect(clientId).toMatch(/^app_[0-9a-f]{24}$/);
  expect(await applications.createFirstApplication({ name: 'Second' })).toEqual({ clientId });
  expect(await applications.verifyClient(clientId, clientSecret)).toMatchObject({ applicationId: clientId });
});

test('a client secret ends with the checksum of its random part', async () => {
  const { clientSecret } = await createFirst();
  const [, body = '', checksum = ''] = /^svc_sk_([\w-]{43})([\w-]{6})$/.exec(clientSecret) ?? [];
  expect(Buffer.from(checksum, 'base64url').readUInt32BE()).toBe(crc32(body));
});

test('the first application uses the client id and secret of the settings', async () => {
  const { applications } = await createServiceParts();
  const given = { clientId: 'app_given', clientSecret: 'given-secret' };
  expect(await applications.createFirstApplication({ name: 'First', ...given })).toEqual(given);
  expect(await applications.verifyClient('app_given', 'given-secret')).toMatchObject({
    applicationId: 'app_given',
  });
});

test('the database contains neither client secrets nor access tokens', async () => {
  const { applications, database, clientId, clientSecret } = await createFirst();
  const { accessToken } = await applications.issueAccessToken(
    await applications.verifyClient(clientId, clientSecret),
  );
  const stored = JSON.stringify([
    await database.selectFrom('clientSecrets').selectAll().execute(),
    await database.selectFrom('accessTokens').selectAll().execute(),
  ]);
  expect(stored).not.toContain(clientSecret);
  expect(stored).not.toContain(accessToken);
});

test('an unknown client and a wrong secret get the same error', async () => {
  const { applications, clientId, clientSecret } = await createFirst();
  const tries = [
    ['app_unknown', clientSecret],
    [clientId, `${clientSecret}x`],
    [clientId, ''],
    ['', ''],
  ] as const;
  for (const [id, tried] of tries) {
    await expect(applications.verifyClient(id, tried)).rejects.toMatchObject({
      code: 'unauthorized',
      message:
        'The client id or the client secret is wrong, or the secret was revoked. Correct them, or let an operator create a new client secret.',
    });
  }
});

test('A5: two secrets are live during a rotation, and a third is refused', async () => {
  const { applications, clientId, clientSecret } = await createFirst();
  const second = await applications.addClientSecret(clientId);
  expect(await applications.verifyClient(clientId, clientSecret)).toMatchObject({ applicationId: clientId });
  expect(await applications.verifyClient(clientId, second.clientSecret)).toMatchObject({
    clientSecretId: second.id,
  });
  await expect(applications.addClientSecret(clientId)).rejects.toMatchObject({ code: 'conflict' });
});

test('A5: a revoked secret invalidates its own access tokens at once in this process', async () => {
  const { applications, clientId, clientSecret } = await createFirst();
  const first = await applications.verifyClient(clientId, clientSecret);
  const added = await applications.addClientSecret(clientId);
  const second = await applications.verifyClient(clientId, added.clientSecret);
  const [old, current] = [
    await applications.issueAccessToken(first),
    await applications.issueAccessToken(second),
  ];
  await applications.authenticate(old.accessToken);

  await applications.revokeClientSecret(clientId, first.clientSecretId);

  await expect(applications.verifyClient(clientId, clientSecret)).rejects.toMatchObject({
    code: 'unauthorized',
  });
  await expect(applications.authenticate(old.accessToken)).rejects.toMatchObject({ code: 'unauthorized' });
  expect(await applications.authenticate(current.accessToken)).toEqual(second);
});

test('an application cannot revoke the secret of another', async () => {
  const { applications, clientId, clientSecret } = await createFirst();
  const { clientSecretId } = await applications.verifyClient(clientId, clientSecret);
  await expect(applications.revokeClientSecret('app_other', clientSecretId)).rejects.toMatchObject({
    code: 'not_found',
  });
  expect(await applications.verifyClient(clientId, clientSecret)).toMatchObject({ clientSecretId });
});

test('A7: an access token expires after 15 minutes, cached or not', async () => {
  const { applications, clock, clientId, clientSecret } = await createFirst();
  const client = await applications.verifyClient(clientId, clientSecret);
  const { accessToken, expiresIn } = await applications.issueAccessToken(client);
  expect(expiresIn).toBe(900);
  clock.advance(899_000);
  expect(await applications.authenticate(accessToken)).toEqual(client);
  clock.advance(1000);
  await expect(applications.authenticate(accessToken)).rejects.toMatchObject({ code: 'unauthorized' });
});

test('A5: a secret revoked by another process stops working within 5 s', async () => {
  const { applications, storage, clock, clientId, clientSecret } = await createFirst();
  const client = await applications.verifyClient(clientId, clientSecret);
  const { accessToken } = await applications.issueAccessToken(client);
  await applications.authenticate(accessToken);
  await storage.applications.revokeSecret(clientId, client.clientSecretId, clock.now());
  clock.advance(5001);
  await expect(applications.authenticate(accessToken)).rejects.toMatchObject({ code: 'unauthorized' });
});

test('A5, A7: a token is cached for 5 s, until it expires or its secret is revoked', async () => {
  const { applications, clock, clientId, clientSecret } = await createFirst();
  const client = await applications.verifyClient(clientId, clientSecret);
  const { accessToken } = await applications.issueAccessToken(client);
  const look = () => applications.cached(accessToken)?.applicationId;
  expect(look()).toBeUndefined();
  await applications.authenticate(accessToken);
  expect(look()).toBe(clientId);
  clock.advance(5001);
  expect(look()).toBeUndefined();
  clock.advance(894_998);
  await applications.authenticate(accessToken);
  expect(look()).toBe(clientId);
  clock.advance(1);
  expect(look()).toBeUndefined();

  const { accessToken: next } = await applications.issueAccessToken(client);
  await applications.authenticate(next);
  await applications.revokeClientSecret(clientId, client.clientSecretId);
  expect(applications.cached(next)).toBeUndefined();
});
