import { createHash } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { testFetch } from '../../test/support/service/test-fetch.js';
import {
  type AuthorizationServerOptions,
  startAuthorizationServer,
  type TestReply,
} from '../../test/support/upstreams/authorization-server.js';
import type { AuthorizationServer, TokenRequestStyle } from './authorization-server.js';
import { authorizationUrl } from './authorization-url.js';
import { createOAuth } from './oauth.js';

const VERIFIER = 'v'.repeat(43);
const REDIRECT_URI = 'https://svc.example.com/sso/v1/oauth/conn_1/callback';
const FORM: TokenRequestStyle = { body: 'form', clientAuthentication: 'body', headers: {} };

async function createFlow(
  options: AuthorizationServerOptions = {},
  change: Partial<AuthorizationServer> = {},
) {
  const upstream = await startAuthorizationServer(options);
  const { body = 'form', clientAuthentication = 'body' } = options;
  const server: AuthorizationServer = {
    connector: 'mail',
    issuer: undefined,
    authorizationEndpoint: upstream.authorizationEndpoint,
    tokenEndpoint: upstream.tokenEndpoint,
    revocationEndpoint: upstream.revocationEndpoint,
    authorizationParameters: {},
    tokenRequest: { ...FORM, body, clientAuthentication },
    ...change,
  };
  const client = { id: upstream.clientId, secret: upstream.clientSecret };
  const oauth = createOAuth({ fetch: testFetch, timeoutMs: 500 });
  const url = authorizationUrl(server, {
    clientId: client.id,
    redirectUri: REDIRECT_URI,
    scopes: [],
    state: 'state',
    codeChallenge: createHash('sha256').update(VERIFIER).digest('base64url'),
  });
  const exchange = (callback = upstream.approve(url).searchParams) =>
    oauth.exchange(server, client, { callback, redirectUri: REDIRECT_URI, codeVerifier: VERIFIER });
  return { upstream, server, client, oauth, url, exchange };
}

type Flow = Awaited<ReturnType<typeof createFlow>>;

const styles: AuthorizationServerOptions[] = [
  { body: 'form', clientAuthentication: 'body' },
  { body: 'form', clientAuthentication: 'basic', clientId: 'plain', clientSecret: 'plain' },
  { body: 'form', clientAuthentication: 'basic', clientId: 'with-dash_and.dot', clientSecret: 'a-b_c.d*' },
  { body: 'json', clientAuthentication: 'basic', clientId: 'with-dashes', clientSecret: 'a+b%c:d' },
  { body: 'json', clientAuthentication: 'body' },
];

test.each(styles)(
  'token requests work with a $body body and the client in $clientAuthentication',
  async (style) => {
    const { upstream, server, client, oauth, exchange } = await createFlow(style);
    const first = await exchange();
    expect(first).toMatchObject({ expiresIn: 3600, scopes: undefined, otherFields: { user: 'ada' } });
    const second = await oauth.refresh(server, client, first.refreshToken ?? '');
    expect(second.accessToken).not.toBe(first.accessToken);
    await oauth.revoke(server, client, second.refreshToken ?? '');
    await expect(oauth.refresh(server, client, second.refreshToken ?? '')).rejects.toMatchObject({
      failure: 'refused',
      error: 'invalid_grant',
    });
    expect(upstream.requests).toHaveLength(4);
  },
);

test('the headers of the connector are sent with every token request', async () => {
  const headers = { 'X-Api-Version': '2022-06-28' };
  const { upstream, exchange } = await createFlow({}, { tokenRequest: { ...FORM, headers } });
  await exchange();
  expect(upstream.requests[0]?.headers['x-api-version']).toBe('2022-06-28');
});

const granted = { access_token: 'access', token_type: 'Bearer' };
const responses: { title: string; body: unknown; tokens: object }[] = [
  {
    title: 'the minimal fields',
    body: granted,
    tokens: { refreshToken: undefined, expiresIn: undefined },
  },
  { title: 'a lifetime as a string', body: { ...granted, expires_in: '3599' }, tokens: { expiresIn: 3599 } },
  {
    title: 'an invalid lifetime',
    body: { ...granted, expires_in: 'soon' },
    tokens: { expiresIn: undefined },
  },
  {
    title: 'a lifetime beyond any date',
    body: { ...granted, expires_in: 1e300 },
    tokens: { expiresIn: undefined },
  },
  {
    title: 'null for missing values',
    body: { ...granted, refresh_token: null, expires_in: null, scope: null },
    tokens: { refreshToken: undefined },
  },
  {
    title: 'an empty string for missing values',
    body: { ...granted, refresh_token: '', expires_in: '', scope: '', id_token: '' },
    tokens: { refreshToken: undefined, expiresIn: undefined, scopes: undefined },
  },
  {
    title: 'blank text and other types for missing values',
    body: { ...granted, refresh_token: ' ', expires_in: '0x10', scope: ['read'], id_token: 5 },
    tokens: { refreshToken: undefined, expiresIn: undefined, scopes: undefined },
  },
  {
    title: 'a refresh token that is no text',
    body: { ...granted, refresh_token: false },
    tokens: { accessToken: 'access', refreshToken: undefined },
  },
  {
    title: 'a token without a type',
    body: { access_token: 'access' },
    tokens: { accessToken: 'access' },
  },
  { title: 'an empty token type', body: { ...granted, token_type: '' }, tokens: { accessToken: 'access' } },
  {
    title: 'a token next to fields that look like an error',
    body: { ...granted, ok: true, error: null, status: 'token_expired' },
    tokens: { accessToken: 'access' },
  },
  {
    title: 'a token type in upper case',
    body: { ...granted, token_type: 'BEARER' },
    tokens: { accessToken: 'access' },
  },
  {
    title: 'a token type with a space at its end',
    body: { ...granted, token_type: 'Bearer ' },
    tokens: { accessToken: 'access' },
  },
  { title: 'the scopes', body: { ...granted, scope: 'read  write' }, tokens: { scopes: ['read', 'write'] } },
  {
    title: 'an unsolicited ID token',
    body: { ...granted, id_token: 'x.y.z' },
    tokens: { accessToken: 'access' },
  },
];

test.each(responses)('the token response is parsed with $title', async ({ body, tokens }) => {
  const { upstream, exchange } = await createFlow();
  upstream.script(() => ({ status: 200, body }));
  expect(await exchange()).toMatchObject(tokens);
});

const big = JSON.stringify({ ...granted, filler: 'x'.repeat(64 * 1024) });
const failures: { title: string; response: TestReply | 'hang' | 'reset'; error: object }[] = [
  {
    title: 'an error',
    response: { status: 400, body: { error: 'invalid_grant' } },
    error: { failure: 'refused', error: 'invalid_grant' },
  },
  {
    title: 'an error with a challenge',
    response: { status: 401, headers: { 'www-authenticate': 'Basic' }, body: { error: 'invalid_client' } },
    error: { failure: 'refused', error: 'invalid_client' },
  },
  ...['mac', 'N_A', 'DPoP'].map((type) => ({
    title: `a token of the type ${type}`,
    response: { status: 200, body: { access_token: 'a', token_type: type } },
    error: { failure: 'unusable', message: expect.stringContaining(`of the type "${type}"`) },
  })),
  ...['a\r\nb: c', 'a\n', 'a b', 'a\u0000', 'ä', 'a\u007f'].map((token) => ({
    title: `the access token ${JSON.stringify(token)}`,
    response: { status: 200, body: { ...granted, access_token: token } },
    error: { failure: 'unusable', message: expect.stringContaining('not allowed in a header') },
  })),
  {
    title: 'an error in the field code',
    response: { status: 400, body: { object: 'error', code: 'invalid_grant' } },
    error: { failure: 'refused', error: 'invalid_grant' },
  },
  {
    title: 'an error with status 200',
    response: { status: 200, body: { error: 'invalid_grant' } },
    error: { failure: 'refused', error: 'invalid_grant' },
  },
  {
    title: 'another code without an error',
    response: { status: 400, body: { code: 'validation_error' } },
    error: { failure: 'unusable' },
  },
  {
    title: 'HTML from an edge proxy',
    response: { status: 403, headers: { 'content-type': 'text/html' }, body: '<html>' },
    error: { failure: 'unusable' },
  },
  {
    title: 'no token',
    response: { status: 200, body: { token_type: 'bearer' } },
    error: { failure: 'unusable' },
  },
  {
    title: 'another token type',
    response: { status: 200, body: { ...granted, token_type: 'mac' } },
    error: { failure: 'unusable' },
  },
  { title: 'a list', response: { status: 200, body: [granted] }, error: { failure: 'unusable' } },
  { title: 'a body above 64 KiB', response: { status: 200, body: big }, error: { failure: 'unusable' } },
  {
    title: 'a redirect',
    response: { status: 307, headers: { location: '/elsewhere' } },
    error: {
      failure: 'unusable',
      message: expect.stringMatching(/^The token endpoint .+ redirect, .+ `tokenEndpoint`/),
    },
  },
  {
    title: 'a rate limit',
    response: { status: 429, headers: { 'retry-after': '7' }, body: { error: 'invalid_grant' } },
    error: { failure: 'unavailable', retryAfter: 7 },
  },
  {
    title: 'a server error',
    response: { status: 503, body: { error: 'invalid_grant' } },
    error: { failure: 'unavailable' },
  },
  { title: 'no response', response: 'hang', error: { failure: 'unavailable' } },
  { title: 'a broken connection', response: 'reset', error: { failure: 'unavailable' } },
];

test.each(failures)('a failed token request is classified: $title', async ({ response, error }) => {
  const { upstream, exchange } = await createFlow();
  upstream.script(() => response);
  await expect(exchange()).rejects.toMatchObject({ name: 'OAuthError', ...error });
  expect(upstream.requests).toHaveLength(1);
});

test('an error contains no text of the response', async () => {
  const { upstream, exchange } = await createFlow();
  upstream.script(() => ({ status: 200, body: { access_token: 'canary-token', token_type: 'mac' } }));
  const error: unknown = await exchange().catch((thrown: unknown) => thrown);
  expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('canary-token');
});

const CANARY = 'canary-7f3a-of-a-token';
const WORDS = {
  error: CANARY,
  error_description: `About ${CANARY}`,
  error_uri: `https://x.example/${CANARY}`,
};

test.each<{ title: string; fail: (flow: Flow) => Promise<unknown> }>([
  { title: 'the callback', fail: ({ exchange }) => exchange(new URLSearchParams(WORDS)) },
  { title: 'the exchange', fail: ({ exchange }) => exchange() },
  { title: 'a refresh', fail: ({ oauth, server, client }) => oauth.refresh(server, client, CANARY) },
  { title: 'a revocation', fail: ({ oauth, server, client }) => oauth.revoke(server, client, CANARY) },
])('K6: the error of $title contains no text of the server', async ({ fail }) => {
  const flow = await createFlow();
  flow.upstream.script(() => ({ status: 400, body: WORDS }));
  const error: unknown = await fail(flow).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    failure: 'refused',
    error: 'other',
    message: expect.stringMatching(/ with the error other\. /),
  });
  expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(CANARY);
});

describe('the issuer in a callback', () => {
  test.each([
    {
      title: 'is not compared when the issuer is unknown',
      issuer: undefined,
      iss: 'https://other.example.com',
      accepted: true,
    },
    { title: 'may be absent', issuer: 'https://auth.example.com', iss: undefined, accepted: true },
    {
      title: 'may equal the known issuer',
      issuer: 'https://auth.example.com',
      iss: 'https://auth.example.com',
      accepted: true,
    },
    {
      title: 'must not differ from the known issuer',
      issuer: 'https://auth.example.com',
      iss: 'https://evil.example.com',
      accepted: false,
    },
    {
      title: 'is compared without normalization',
      issuer: 'https://auth.example.com',
      iss: 'https://auth.example.com/',
      accepted: false,
    },
  ])('$title', async ({ issuer, iss, accepted }) => {
    const { upstream, url, exchange } = await createFlow({}, { issuer });
    const callback = upstream.approve(url).searchParams;
    if (iss !== undefined) callback.set('iss', iss);
    const outcome = await exchange(callback).then(
      () => 'accepted',
      (error: unknown) => error,
    );
    if (accepted) expect(outcome).toBe('accepted');
    else expect(outcome).toMatchObject({ failure: 'unusable' });
    expect(upstream.requests).toHaveLength(accepted ? 1 : 0);
  });

  test('hides the error of the callback when it is wrong', async () => {
    const { exchange } = await createFlow({}, { issuer: 'https://auth.example.com' });
    const callback = new URLSearchParams({ error: 'access_denied', iss: 'https://evil.example.com' });
    await expect(exchange(callback)).rejects.toMatchObject({ failure: 'unusable', error: undefined });
  });
});

test.each([
  {
    title: 'an error',
    callback: 'error=access_denied',
    error: { failure: 'refused', error: 'access_denied' },
  },
  { title: 'no code', callback: 'state=state', error: { failure: 'unusable' } },
  { title: 'two codes', callback: 'code=a&code=b', error: { failure: 'unusable' } },
  { title: 'a token', callback: 'code=a&token=b', error: { failure: 'unusable' } },
])('a callback with $title causes no token request', async ({ callback, error }) => {
  const { upstream, exchange } = await createFlow();
  await expect(exchange(new URLSearchParams(callback))).rejects.toMatchObject(error);
  expect(upstream.requests).toHaveLength(0);
});

test('a public client sends its id and no secret', async () => {
  const { upstream, server, oauth } = await createFlow();
  upstream.script(() => ({ status: 200, body: granted }));
  await oauth.refresh(server, { id: 'public', secret: undefined }, 'refresh');
  expect(upstream.requests[0]?.parameters).toEqual({
    grant_type: 'refresh_token',
    refresh_token: 'refresh',
    client_id: 'public',
  });
});
