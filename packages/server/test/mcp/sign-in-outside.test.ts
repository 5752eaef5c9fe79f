import { startSandbox } from '@svc/sandbox';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  agree,
  authorizeUrl,
  codeForm,
  createBrowser,
  createVerifier,
  FORM,
  openSignIn,
  postForm,
  REDIRECT_URI,
  type Signing,
} from '../support/mcp/sign-in.js';
import { listForSandbox } from '../support/service/allowed-origins.js';
import { type Service, startService } from '../support/service/service.js';
import { OPEN_ID_SECRET, type Outside, startOutside } from '../support/upstreams/start-outside.js';

let outside: Outside;
let service: Service;
let signing: Signing;

beforeAll(async () => {
  outside = await startOutside();
  const sandbox = await startSandbox({ connectors: ['calendar'] });
  const listed = `${listForSandbox(sandbox)},agents=${outside.url}`;
  service = await startService({ sandbox, flags: ['--allowed-origins', listed] });
  signing = await openSignIn(service);
});

afterAll(async () => {
  outside.stop();
  await service.stop();
});

const { challenge: CHALLENGE, verifier: VERIFIER } = createVerifier();

describe('G7: a client id that is the URL of a metadata document', () => {
  const open = (clientId: string, change: object = {}) =>
    createBrowser()(authorizeUrl({ ...signing, clientId }, CHALLENGE, { ...change }));
  const documentOf = (clientId: string, change: object = {}) => ({
    client_id: clientId,
    client_name: 'Claude',
    redirect_uris: ['http://127.0.0.1/callback', 'https://claude.example/callback'],
    token_endpoint_auth_method: 'none',
    ...change,
  });

  test.each([
    { title: 'a public client', change: {} },
    {
      title: 'a client that supports signatures and public access',
      change: {
        token_endpoint_auth_method: 'private_key_jwt',
        token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
        jwks_uri: 'https://claude.example/jwks.json',
      },
    },
  ])('authorizes $title and shows its name and host on the consent page', async ({ change }) => {
    const clientId = `${outside.url}/client.json`;
    outside.put('/client.json', { body: documentOf(clientId, change) });
    const published = { ...signing, clientId };
    const browser = createBrowser();
    const back = await agree(published, authorizeUrl(published, CHALLENGE), browser);
    expect(back.origin + back.pathname).toBe(REDIRECT_URI);
    const form = codeForm(published, back.searchParams.get('code') ?? '', VERIFIER);
    expect((await postForm(`${signing.issuer}/token`, form)).status).toBe(200);
    const grants = await signing.application.call('GET', '/v1/agent-grants');
    expect(grants.json<{ items: object[] }>().items[0]).toMatchObject({
      clientId,
      clientName: 'Claude (127.0.0.1)',
    });
  });

  const WRONG: readonly { title: string; toResponse: (clientId: string) => Parameters<Outside['put']>[1] }[] =
    [
      { title: 'of another client id', toResponse: (id) => ({ body: documentOf(`${id}2`) }) },
      { title: 'that has no client id', toResponse: () => ({ body: { redirect_uris: [REDIRECT_URI] } }) },
      { title: 'that responds 404', toResponse: (id) => ({ status: 404, body: documentOf(id) }) },
      { title: 'that is not JSON', toResponse: () => ({ body: '<html>' }) },
      { title: 'that is a list', toResponse: () => ({ body: [] }) },
      {
        title: 'that has another content type',
        toResponse: (id) => ({ type: 'text/html', body: documentOf(id) }),
      },
      {
        title: 'that has a client secret',
        toResponse: (id) => ({ body: documentOf(id, { client_secret: 'x' }) }),
      },
      {
        title: 'that requires client_secret_basic',
        toResponse: (id) => ({ body: documentOf(id, { token_endpoint_auth_method: 'client_secret_basic' }) }),
      },
      {
        title: 'that requires private_key_jwt',
        toResponse: (id) => ({
          body: documentOf(id, {
            token_endpoint_auth_method: 'private_key_jwt',
            token_endpoint_auth_methods_supported: ['private_key_jwt'],
          }),
        }),
      },
      {
        title: 'that has no redirect URIs',
        toResponse: (id) => ({ body: documentOf(id, { redirect_uris: undefined }) }),
      },
      {
        title: 'that has other redirect URIs',
        toResponse: (id) => ({ body: documentOf(id, { redirect_uris: ['https://a.example/x'] }) }),
      },
      {
        title: 'that has a script as redirect URI',
        toResponse: (id) => ({
          body: documentOf(id, { redirect_uris: [REDIRECT_URI, 'javascript:alert(1)'] }),
        }),
      },
      {
        title: 'that is too long',
        toResponse: (id) => ({ body: documentOf(id, { x: 'x'.repeat(65_536) }) }),
      },
      {
        title: 'that is nested too deeply',
        toResponse: () => ({ body: `${'{"a":'.repeat(300)}1${'}'.repeat(300)}` }),
      },
      { title: 'that is a redirect', toResponse: () => ({ status: 302, location: '/client.json' }) },
    ];

  test.each(WRONG)('refuses a document $title', async ({ title, toResponse }) => {
    const path = `/${encodeURIComponent(title)}`;
    const clientId = outside.url + path;
    outside.put(path, toResponse(clientId));
    const { status, location } = await open(clientId);
    expect([status, location]).toEqual([400, '']);
  });

  test.each([
    'https://10.0.0.1/client.json',
    'https://127.0.0.1/client.json',
    'https://[::1]/client.json',
    'https://[::ffff:10.0.0.1]/client.json',
    'https://169.254.169.254/latest/meta-data',
    'https://localhost/client.json',
    'http://client.example/client.json',
    'https://client.example:8443/client.json',
    'https://user@client.example/client.json',
    'https://client.example/client.json#x',
    'https://client.example/',
    'https://client.example',
    'https://client.example/a/../client.json',
    'https://CLIENT.example/client.json',
    `https://client.example/${'x'.repeat(600)}`,
  ])('sends no request to %s', async (clientId) => {
    const before = outside.requested.length;
    const { status, location } = await open(clientId);
    expect(status).toBeOneOf([400, 503]);
    expect(location).toBe('');
    expect(outside.requested).toHaveLength(before);
  });
});

describe('G8: the sign-in at an OpenID issuer of the application', () => {
  const settings = () => ({
    openId: { issuer: outside.url, clientId: 'desk', clientSecret: OPEN_ID_SECRET },
  });
  const put = (body: object) => signing.application.call('PUT', '/v1/agent-access', { body });

  beforeEach(async () => {
    outside.claims = {};
    await put(settings());
  });

  /** Signs in at the OpenID Connect issuer as this subject, and returns to the service in the same browser. */
  async function comeBack(browser = createBrowser(), subject = 'user_42') {
    const { location } = await browser(authorizeUrl(signing, CHALLENGE));
    const callback = outside.signIn(location, subject);
    return { location, callback, reply: await browser(callback) };
  }

  test('identifies the user and leads to the consent page', async () => {
    const browser = createBrowser();
    const { location, reply } = await comeBack(browser);
    expect(Object.fromEntries(new URL(location).searchParams)).toMatchObject({
      client_id: 'desk',
      scope: 'openid',
      code_challenge_method: 'S256',
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      redirect_uri: `${signing.issuer}/callback`,
    });
    expect(reply.location).toMatch(`${signing.issuer}/consent/`);
    expect((await browser(reply.location)).text).toContain('<bdi>user_42</bdi>');
    const decided = await browser(reply.location, { method: 'POST', headers: FORM, body: 'decision=allow' });
    const code = new URL(decided.location).searchParams.get('code') ?? '';
    const tokens = await postForm(`${signing.issuer}/token`, codeForm(signing, code, VERIFIER));
    expect(tokens.status).toBe(200);
  });

  test('identifies the user by the configured claim', async () => {
    await put({ openId: { ...settings().openId, claim: 'email', scopes: ['openid', 'email'] } });
    outside.claims = { email: 'ada@example.com' };
    const browser = createBrowser();
    const { location, reply } = await comeBack(browser);
    expect(new URL(location).searchParams.get('scope')).toBe('openid email');
    expect((await browser(reply.location)).text).toContain('<bdi>ada@example.com</bdi>');
  });

  // Status 409: a setting of the application is wrong, so the page does not advise another attempt.
  test.each([
    { title: 'of another issuer', claims: { iss: 'https://evil.example' }, status: 409 },
    { title: 'for another client', claims: { aud: 'other' }, status: 409 },
    {
      title: 'for several clients with another authorized party',
      claims: { aud: ['desk', 'other'], azp: 'other' },
      status: 409,
    },
    { title: 'with the nonce of another sign-in', claims: { nonce: 'x' }, status: 403 },
    { title: 'without a nonce', claims: { nonce: undefined }, status: 403 },
    { title: 'that has expired', claims: { exp: 1 }, status: 403 },
    { title: 'without an expiry', claims: { exp: undefined }, status: 403 },
    { title: 'without the claim', claims: { sub: undefined }, status: 409 },
    { title: 'with a claim that is not a string', claims: { sub: 42 }, status: 409 },
    { title: 'with an empty claim', claims: { sub: '' }, status: 409 },
    { title: 'with a claim that contains a line break', claims: { sub: 'a\nb' }, status: 409 },
  ])('refuses an ID token $title', async ({ claims, status }) => {
    outside.claims = claims;
    const { reply } = await comeBack();
    expect([reply.status, reply.location, reply.text.includes('start the sign-in again')]).toEqual([
      status,
      '',
      status === 403,
    ]);
  });

  test('accepts a callback once, and only in the browser that began', async () => {
    const [own, other] = [createBrowser(), createBrowser()];
    const { callback } = await comeBack(own);
    const before = outside.requested.length;
    for (const browser of [own, other]) expect((await browser(callback)).status).toBe(403);
    const { location } = await own(authorizeUrl(signing, CHALLENGE));
    expect((await other(outside.signIn(location, 'victim'))).status).toBe(403);
    expect((await own(outside.signIn(location, 'victim'))).status).toBe(403);
    expect(outside.requested.slice(before).filter((path) => path === '/token')).toEqual([]);
  });

  test('sends no code after the application changed its issuer', async () => {
    const browser = createBrowser();
    const { location } = await browser(authorizeUrl(signing, CHALLENGE));
    await put({ openId: { ...settings().openId, issuer: `${outside.url}/other` } });
    const before = outside.requested.length;
    expect((await browser(outside.signIn(location, 'user_42'))).status).toBe(403);
    expect(outside.requested).toHaveLength(before);
  });

  test('refuses the state as a sign-in ticket of the application', async () => {
    const { location } = await createBrowser()(authorizeUrl(signing, CHALLENGE));
    const ticket = new URL(location).searchParams.get('state');
    const body = { ticket, identifier: 'victim' };
    expect((await signing.application.call('POST', '/v1/agent-sign-ins', { body })).status).toBe(404);
  });

  test('reports a denied consent and makes no token request', async () => {
    const browser = createBrowser();
    const { location } = await browser(authorizeUrl(signing, CHALLENGE));
    const state = new URL(location).searchParams.get('state') ?? '';
    const before = outside.requested.length;
    const { text } = await browser(`${signing.issuer}/callback?error=access_denied&state=${state}`);
    expect(text).toContain('You did not sign in');
    expect(outside.requested.slice(before)).not.toContain('/token');
  });

  test('refuses metadata of another issuer', async () => {
    outside.put('/other/.well-known/openid-configuration', {
      body: {
        issuer: outside.url,
        authorization_endpoint: `${outside.url}/a`,
        token_endpoint: `${outside.url}/t`,
      },
    });
    await put({ openId: { ...settings().openId, issuer: `${outside.url}/other` } });
    expect(await createBrowser()(authorizeUrl(signing, CHALLENGE))).toMatchObject({
      status: 403,
      location: '',
    });
  });

  test('accepts either a sign-in URL or an issuer, and does not return the client secret', async () => {
    expect((await put({ signInUrl: 'https://app.example.com', ...settings() })).status).toBe(400);
    expect((await put({})).status).toBe(400);
    expect((await put({ openId: { ...settings().openId, issuer: 'http://issuer.example' } })).status).toBe(
      400,
    );
    const access = await signing.application.call('GET', '/v1/agent-access');
    expect(access.json()).toEqual({
      openId: {
        issuer: outside.url,
        clientId: 'desk',
        hasClientSecret: true,
        claim: 'sub',
        scopes: ['openid'],
      },
      registration: false,
      limits: {},
      etag: expect.any(String),
    });
  });

  test('keeps the client secret for the same issuer and deletes it for another', async () => {
    const stored = { issuer: outside.url, clientId: 'desk' };
    await put({ openId: stored, registration: true });
    expect((await comeBack()).reply.location).toMatch(`${signing.issuer}/consent/`);
    const elsewhere = await put({ openId: { ...stored, issuer: `${outside.url}/other` } });
    expect(elsewhere.json()).toMatchObject({ openId: { hasClientSecret: false } });
  });
});
