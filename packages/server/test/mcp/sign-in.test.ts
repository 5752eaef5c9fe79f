import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { runAgent } from '../support/mcp/agent.js';
import {
  addOther,
  authorizeUrl,
  createBrowser,
  createVerifier,
  FORM,
  identify,
  openSignIn,
  REDIRECT_URI,
  SIGN_IN_URL,
  type Signing,
} from '../support/mcp/sign-in.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';

let service: Service;
let signing: Signing;
let endpoint: string;

beforeAll(async () => {
  service = await startService({ connectors: ['calendar', 'workspace'] });
  await connectAccount(service, 'calendar');
  signing = await openSignIn(service);
  endpoint = `/mcp/apps/${service.clientId}`;
});

afterAll(() => service.stop());
afterEach(() => {
  vi.useRealTimers();
});

const { challenge: CHALLENGE } = createVerifier();
const LIST = { method: 'tools/list' };

/** Advances the clock by this many milliseconds. */
const passMs = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });

const json = async (url: string) => (await fetch(url)).json() as Promise<Record<string, unknown>>;

test('G1: a client discovers the authorization server of the application from the 401', async () => {
  const path = `${endpoint}/calendar`;
  const { status, headers } = await runAgent(service, LIST, { path });
  expect(status).toBe(401);
  const challenge = headers.get('www-authenticate') ?? '';
  expect(challenge).toContain('scope="tools:read tools:write"');
  const [, metadataUrl = ''] = /resource_metadata="([^"]+)"/.exec(challenge) ?? [];
  const resource = await json(metadataUrl);
  expect(resource).toMatchObject({
    resource: `${service.url}${path}`,
    authorization_servers: [signing.issuer],
    scopes_supported: ['tools:read', 'tools:write'],
  });
  const wellKnown = `${service.url}/.well-known/oauth-authorization-server/agents/${service.clientId}`;
  expect(await json(wellKnown)).toEqual({
    issuer: signing.issuer,
    authorization_endpoint: `${signing.issuer}/authorize`,
    token_endpoint: `${signing.issuer}/token`,
    revocation_endpoint: `${signing.issuer}/revoke`,
    scopes_supported: ['tools:read', 'tools:write'],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: [
      'authorization_code',
      'refresh_token',
      'urn:ietf:params:oauth:grant-type:token-exchange',
    ],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  });
});

test('an application without sign-in responds like one that does not exist', async () => {
  const { clientId } = await addOther(service);
  const replies = await Promise.all(
    [clientId, 'app_none'].flatMap((id) =>
      [
        `/.well-known/oauth-protected-resource/mcp/apps/${id}`,
        `/.well-known/oauth-authorization-server/agents/${id}`,
        `/agents/${id}/authorize?client_id=x`,
      ].map(async (path) => {
        const reply = await fetch(service.url + path);
        return [reply.status, (await reply.text()).replace(/req_\w+/, '')];
      }),
    ),
  );
  expect(replies.slice(0, 3)).toEqual(replies.slice(3));
  expect(replies.map(([status]) => status)).toEqual(Array(6).fill(404));
});

describe('G1: an unknown client or redirect URI is not redirected', () => {
  test.each([
    { title: 'no client id', given: { client_id: undefined } },
    { title: 'another client id', given: { client_id: `client_${'0'.repeat(24)}` } },
    { title: 'no redirect URI', given: { redirect_uri: undefined } },
    { title: 'another host', given: { redirect_uri: 'https://evil.example/callback' } },
    { title: 'another path', given: { redirect_uri: 'http://127.0.0.1:8765/callback/more' } },
    { title: 'another loopback host', given: { redirect_uri: 'http://localhost:8765/callback' } },
    { title: 'another scheme and port', given: { redirect_uri: 'https://127.0.0.1:8765/callback' } },
    {
      title: 'a user name before another host',
      given: { redirect_uri: 'http://127.0.0.1:1@evil.example/callback' },
    },
    { title: 'a query', given: { redirect_uri: 'http://127.0.0.1:8765/callback?x=y' } },
    { title: 'a fragment', given: { redirect_uri: 'http://127.0.0.1:8765/callback#x' } },
    { title: 'a script as redirect URI', given: { redirect_uri: 'javascript:alert(1)' } },
  ])('$title', async ({ given }) => {
    const { status, location, text } = await createBrowser()(authorizeUrl(signing, CHALLENGE, given));
    expect([status, location]).toEqual([400, '']);
    expect(text).toContain('This sign-in is not set up');
    expect(text).toContain('The program got no access.');
  });

  test('a duplicate parameter is refused', async () => {
    const url = `${authorizeUrl(signing, CHALLENGE)}&redirect_uri=https%3A%2F%2Fevil.example`;
    expect((await createBrowser()(url)).status).toBe(400);
  });

  test.each([
    ['https://user@app.example/x'],
    ['https://app.example/x#y'],
    ['http://app.example/x'],
    ['http://localhost.evil.example/'],
    ['javascript:alert(1)'],
    ['data:text/html,x'],
    ['file:///etc/passwd'],
    ['https:\\\\app.example'],
    ['https://app.example/é'],
    ['https://app.example/☃'],
    ['com.example.app:/☃'],
    ['/relative'],
    [''],
  ])('a client cannot register the redirect URI %s', async (uri) => {
    const body = { name: 'Client', redirectUris: [uri] };
    const reply = await signing.application.call('POST', '/v1/agent-clients', { body });
    expect(reply.status).toBe(400);
    expect(reply.json()).toMatchObject({ error: { details: { errors: [{ field: 'redirectUris' }] } } });
  });
});

describe('an invalid authorization request redirects with an error', () => {
  test.each([
    { title: 'no code challenge', given: { code_challenge: undefined }, error: 'invalid_request' },
    {
      title: 'no challenge method',
      given: { code_challenge_method: undefined },
      error: 'invalid_request',
    },
    {
      title: 'the challenge method plain',
      given: { code_challenge_method: 'plain' },
      error: 'invalid_request',
    },
    {
      title: 'a challenge that is not a SHA-256 digest',
      given: { code_challenge: 'short' },
      error: 'invalid_request',
    },
    {
      title: 'the response type token',
      given: { response_type: 'token' },
      error: 'unsupported_response_type',
    },
    { title: 'an unknown scope', given: { scope: 'everything' }, error: 'invalid_scope' },
    { title: 'another resource', given: { resource: 'https://evil.example/mcp' }, error: 'invalid_target' },
    {
      title: 'the MCP endpoint of all applications',
      given: { resource: 'SERVICE/mcp' },
      error: 'invalid_target',
    },
    {
      title: 'an unknown connector',
      given: { resource: 'SERVICE/mcp/apps/app_test/nothing' },
      error: 'invalid_target',
    },
    {
      title: 'the MCP endpoint of another application',
      given: { resource: 'SERVICE/mcp/apps/app_other' },
      error: 'invalid_target',
    },
  ])('G4: $title', async ({ given, error }) => {
    const parameters = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, value?.replace('SERVICE', service.url)]),
    );
    const { status, location } = await createBrowser()(authorizeUrl(signing, CHALLENGE, parameters));
    expect(status).toBe(303);
    const back = new URL(location);
    expect(back.origin + back.pathname).toBe(REDIRECT_URI);
    expect(Object.fromEntries(back.searchParams)).toMatchObject({
      error,
      iss: signing.issuer,
      state: 'of the client',
    });
  });
});

describe('G2: a sign-in', () => {
  test('redirects to the application with a ticket and no data of the client', async () => {
    const { status, location } = await createBrowser()(authorizeUrl(signing, CHALLENGE));
    expect(status).toBe(303);
    expect(location).toMatch(/^https:\/\/app\.example\.com\/sign-in\?sign_in_ticket=[\w-]{43}$/);
    expect(location.startsWith(SIGN_IN_URL)).toBe(true);
  });

  test('cannot be completed in the browser of a victim who follows the link', async () => {
    const [attacker, victim] = [createBrowser(), createBrowser()];
    const { location } = await attacker(authorizeUrl(signing, CHALLENGE));
    // The victim follows the attacker's link, signs in at the application, and returns in a browser that did not start
    // the flow.
    const { redirectTo } = (await identify(signing, location, 'victim')).json<{ redirectTo: string }>();
    for (const init of [{}, { method: 'POST', headers: FORM, body: 'decision=allow' }])
      expect((await victim(redirectTo, init)).text).toMatch(
        /You started in another browser.*got no access.*start the sign-in again/s,
      );
    // The flow is over for the attacker too, even with the URL that the victim's browser received.
    const { status, text } = await attacker(redirectTo, {
      method: 'POST',
      headers: FORM,
      body: 'decision=allow',
    });
    expect(status).toBe(403);
    expect(text).toContain('This step is already done');
  });

  test('cannot reach the consent page with the ticket alone', async () => {
    const browser = createBrowser();
    const { location } = await browser(authorizeUrl(signing, CHALLENGE));
    await identify(signing, location, 'victim');
    const ticket = new URL(location).searchParams.get('sign_in_ticket') ?? '';
    expect((await browser(`${signing.issuer}/consent/${ticket}`)).status).toBe(403);
  });

  test('accepts a ticket once, before it expires, and only from its own application', async () => {
    const { location } = await createBrowser()(authorizeUrl(signing, CHALLENGE));
    const { application: stranger } = await addOther(service);
    expect((await identify({ ...signing, application: stranger }, location)).status).toBe(404);
    expect((await identify(signing, location)).status).toBe(200);
    expect((await identify(signing, location, 'other')).status).toBe(404);
    const late = await createBrowser()(authorizeUrl(signing, CHALLENGE));
    passMs(10 * 60_000);
    expect((await identify(await openSignIn(service), late.location)).status).toBe(404);
  });
});
