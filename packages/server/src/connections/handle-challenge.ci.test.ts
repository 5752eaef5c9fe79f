import { expect, test } from 'vitest';
import { createDiscovered } from '../../test/support/service/create-discovered.js';

const forbidden = (header: string) => ({ status: 403, operation: 'tools/call read', header });

test('O16: the authorization requests the scopes of the connection when they are set', async () => {
  const { connections, applicationId, begin } = await createDiscovered();
  await connections.update(applicationId, 'mail', { scopes: ['write'] });
  const { redirectTo } = await begin('ada');
  expect(new URL(redirectTo).searchParams.get('scope')).toBe('write');
});

test('O16: a call that needs more scopes leads to a link that requests the old and the new scopes', async () => {
  const { connect, handleChallenge, begin, account, credentials, row } = await createDiscovered();
  const resolved = await connect('ada');
  await expect(
    handleChallenge(resolved, forbidden('Bearer error="insufficient_scope", scope="write admin"')),
  ).rejects.toMatchObject({
    code: 'account_not_authorized',
    details: {
      requiredScopes: ['write', 'admin'],
      authorizationLinkPath: '/v1/connections/mail/accounts/ada/authorization-link',
    },
  });
  await credentials.current(resolved);
  expect(await account('ada')).toMatchObject({ status: 'authorized', scopes: ['read'] });
  const { redirectTo } = await begin('ada');
  expect(new URL(redirectTo).searchParams.get('scope')).toBe('read write admin');
  await connect('ada');
  expect(await row('ada')).toMatchObject({ wantedScopes: null, scopes: '["read","write","admin"]' });
  await expect(
    handleChallenge(resolved, forbidden('Bearer error="insufficient_scope", scope="delete"')),
  ).rejects.toMatchObject({ code: 'account_not_authorized' });
  const again = await begin('ada');
  expect(new URL(again.redirectTo).searchParams.get('scope')).toBe('read write admin delete');
});

test.each([
  { title: 'with another error', challenge: 'Bearer error="invalid_token", scope="write"' },
  {
    title: 'for a scope that is already granted',
    challenge: 'Bearer error="insufficient_scope", scope="read"',
  },
  { title: 'without a scope', challenge: 'Bearer error="insufficient_scope"' },
])('O16: no reauthorization follows a challenge $title', async ({ challenge }) => {
  const { connect, handleChallenge, row } = await createDiscovered();
  await handleChallenge(await connect('ada'), forbidden(challenge));
  expect(await row('ada')).toMatchObject({ wantedScopes: null });
});

test('O16: more scopes are requested at most twice per operation', async () => {
  const { connect, handleChallenge, row } = await createDiscovered();
  const demand = async (scope: string, operation = 'tools/call read') =>
    handleChallenge(await connect('ada'), {
      status: 403,
      operation,
      header: `Bearer error="insufficient_scope", scope="${scope}"`,
    });
  await expect(demand('first')).rejects.toMatchObject({ code: 'account_not_authorized' });
  await expect(demand('second')).rejects.toMatchObject({ code: 'account_not_authorized' });
  await demand('third');
  expect(await row('ada')).toMatchObject({ wantedScopes: null });
  await expect(demand('third', 'tools/call write')).rejects.toMatchObject({ code: 'account_not_authorized' });
});

test('O16: repeated calls before the consent count as one attempt', async () => {
  const { connect, handleChallenge } = await createDiscovered();
  const resolved = await connect('ada');
  for (let calls = 0; calls < 5; calls += 1) {
    await expect(
      handleChallenge(resolved, forbidden('Bearer error="insufficient_scope", scope="write admin"')),
    ).rejects.toMatchObject({ code: 'account_not_authorized' });
  }
});

test('discovery is repeated when the server refuses a token', async () => {
  const { connect, handleChallenge, refusedToken, begin, account, discoveries } = await createDiscovered();
  const resolved = await connect('ada');
  await handleChallenge(resolved, await refusedToken(resolved));
  expect(await account('ada')).toMatchObject({ status: 'authorized' });
  const before = discoveries();
  await begin('ada');
  expect(discoveries() - before).toBe(1);
});

const UNRENEWABLE = { status: 200, body: { access_token: 'once', token_type: 'bearer' } };

test('a refused token that cannot be renewed ends the access', async () => {
  const { connect, handleChallenge, refusedToken, upstream, account } = await createDiscovered();
  upstream.script(() => UNRENEWABLE);
  const resolved = await connect('ada');
  await expect(handleChallenge(resolved, await refusedToken(resolved))).rejects.toMatchObject({
    code: 'account_not_authorized',
    details: { status: 'reauthorization_required', statusReason: 'token_refused' },
  });
  expect(await account('ada')).toMatchObject({ status: 'reauthorization_required' });
});

test('R10: a late refusal of an old token does not end the access that a new consent has given', async () => {
  const { connect, handleChallenge, refusedToken, upstream, account } = await createDiscovered();
  upstream.script(() => UNRENEWABLE);
  const refused = await refusedToken(await connect('ada'));
  upstream.script(() => UNRENEWABLE);
  await handleChallenge(await connect('ada'), refused);
  expect(await account('ada')).toMatchObject({ status: 'authorized' });
});
