import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { approvedParams, authorizationLink, connect, REDIRECT_URI } from '../authorized.js';
import { codeFor, exchange, probe, refresh, register, sandbox, useSandbox } from './setup.js';

useSandbox();

describe.each(['workspace', 'calendar'])('the authorization server of %s', (id) => {
  test('returns the state and a token that the API accepts', async () => {
    const client = await register(id);
    const params = await approvedParams(authorizationLink(sandbox, id, { client }), { user: 'grace' });
    expect([...params.keys()].sort()).toEqual(['code', 'state']);
    expect(params.get('state')).toBe('the state');
    const { status, body } = await exchange(id, client, { code: params.get('code') ?? '' });
    expect(status).toBe(200);
    expect(await probe(id, body.access_token)).toBe(200);
  });

  test('returns access_denied and the state after a denial', async () => {
    const link = authorizationLink(sandbox, id, { client: await register(id) });
    const params = await approvedParams(link, { deny: true });
    expect(Object.fromEntries(params)).toEqual({ error: 'access_denied', state: 'the state' });
  });

  test('accepts a code once, and revokes its token after a replay', async () => {
    const client = await register(id);
    const code = await codeFor(id, client);
    const first = await exchange(id, client, { code });
    const second = await exchange(id, client, { code });
    expect([second.status, second.body.error]).toEqual([400, 'invalid_grant']);
    expect(await probe(id, first.body.access_token)).toBe(401);
  });

  test('accepts at most one of ten parallel exchanges of a code', async () => {
    const client = await register(id);
    const code = await codeFor(id, client);
    const responses = await Promise.all(Array.from({ length: 10 }, () => exchange(id, client, { code })));
    expect(responses.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  });

  test('checks the PKCE verifier if the authorization had a challenge', async () => {
    const client = await register(id);
    const verifier = randomBytes(32).toString('base64url');
    const challenge = {
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    };
    const code = await codeFor(id, client, challenge);
    for (const wrong of [{}, { code_verifier: randomBytes(32).toString('base64url') }]) {
      expect((await exchange(id, client, { code, ...wrong })).body.error).toBe('invalid_grant');
    }
    expect((await exchange(id, client, { code, code_verifier: verifier })).status).toBe(200);
  });

  test.each([
    { title: 'a trailing slash', uri: `${REDIRECT_URI}/` },
    { title: 'another letter case', uri: REDIRECT_URI.replace('callback', 'Callback') },
    { title: 'a query', uri: `${REDIRECT_URI}?a=b` },
    { title: 'another port', uri: 'http://127.0.0.1:2/callback' },
  ])('refuses a redirect URI that differs by $title', async ({ uri }) => {
    const link = authorizationLink(sandbox, id, {
      client: await register(id),
      params: { redirect_uri: uri },
    });
    const response = await fetch(link, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([400, null]);
  });

  test('refuses unknown clients, wrong secrets and codes of another client', async () => {
    const client = await register(id);
    const code = await codeFor(id, client);
    const other = await register(id);
    expect((await exchange(id, { ...client, clientSecret: 'wrong' }, { code })).status).toBe(401);
    expect((await exchange(id, { ...client, clientId: 'nobody' }, { code })).body.error).toBe(
      'invalid_client',
    );
    expect((await exchange(id, other, { code })).body.error).toBe('invalid_grant');
    const stranger = await fetch(
      authorizationLink(sandbox, id, { client: { clientId: 'nobody', clientSecret: '' } }),
      { redirect: 'manual' },
    );
    expect(stranger.status).toBe(400);
  });

  test('expires codes after ten minutes', async () => {
    const client = await register(id);
    const code = await codeFor(id, client);
    await sandbox.clock.advance(10 * 60_000);
    expect((await exchange(id, client, { code })).body.error).toBe('invalid_grant');
  });

  test('invalidates tokens after their lifetime, after expireTokens and after revokeGrants', async () => {
    await sandbox.dials(id, { tokenLifeSeconds: 60 });
    const short = await connect(sandbox, id);
    // Leaves two seconds, because the server counts whole seconds and the real clock runs too.
    await sandbox.clock.advance(58_000);
    expect(await probe(id, short.token)).toBe(200);
    await sandbox.clock.advance(3_000);
    expect(await probe(id, short.token)).toBe(401);
    const renewed = await refresh(id, short.client, short.refreshToken);
    expect(renewed.body.expires_in).toBe(60);
    await sandbox.expireTokens(id);
    expect(await probe(id, renewed.body.access_token)).toBe(401);
    const again = await refresh(id, short.client, renewed.body.refresh_token ?? short.refreshToken);
    expect(await probe(id, again.body.access_token)).toBe(200);
    await sandbox.revokeGrants(id);
    expect(await probe(id, again.body.access_token)).toBe(401);
    expect((await refresh(id, short.client, again.body.refresh_token ?? short.refreshToken)).body.error).toBe(
      'invalid_grant',
    );
  });

  test('omits expires_in for tokens that never expire', async () => {
    await sandbox.dials(id, { tokenLifeSeconds: null });
    const client = await register(id);
    const { body } = await exchange(id, client, { code: await codeFor(id, client) });
    expect(body.expires_in).toBeUndefined();
    await sandbox.clock.advance(365 * 24 * 3600 * 1000);
    expect(await probe(id, body.access_token)).toBe(200);
  });

  test('shows the consent only to the browser that started the authorization', async () => {
    const link = authorizationLink(sandbox, id, { client: await register(id) });
    const { headers } = await fetch(link, { redirect: 'manual' });
    const consent = new URL(headers.get('location') ?? '', link);
    const stranger = await fetch(consent, {
      method: 'POST',
      body: new URLSearchParams({ decision: 'allow', user: 'ada' }),
      redirect: 'manual',
    });
    expect([stranger.status, stranger.headers.get('location')]).toEqual([400, null]);
  });
});
