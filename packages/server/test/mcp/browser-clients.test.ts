import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mintToken } from '../support/mcp/agent.js';
import {
  addOther,
  agree,
  authorizeUrl,
  codeForm,
  createVerifier,
  openSignIn,
  postForm,
  type Signing,
} from '../support/mcp/sign-in.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';

const OWN = 'https://agent.example.com';
const FOREIGN = 'https://other.example.com';
const UNKNOWN = 'https://evil.example.com';
/** Request headers that MCP clients of both protocol revisions send. */
const WANTED =
  'authorization,content-type,last-event-id,mcp-method,mcp-name,mcp-param-region,mcp-protocol-version,mcp-session-id';
const MESSAGE = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const REGISTRATION = { client_name: 'Web agent', redirect_uris: [`${OWN}/callback`] };

let service: Service;
let signing: Signing;
let token: string;

beforeAll(async () => {
  service = await startService({ connectors: ['calendar'] });
  await connectAccount(service, 'calendar');
  signing = await openSignIn(service, { registration: true });
  await service.app.applications.change(service.clientId, { origins: [OWN] });
  const other = await addOther(service);
  await service.app.applications.change(other.clientId, { origins: [FOREIGN] });
  token = await mintToken(service);
});
afterAll(() => service.stop());

/** Returns the URL of a path, with `{id}` replaced by the application's ID. */
const urlOf = (path: string) => service.url + path.replace('{id}', service.clientId);

const preflight = (path: string, origin: string, method = 'POST') =>
  fetch(urlOf(path), {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': WANTED,
    },
  });

const allowedBy = ({ headers }: Response) => headers.get('access-control-allow-origin');
const readOf = ({ status, headers }: Response) => ({
  status,
  origin: headers.get('access-control-allow-origin'),
  exposed: headers.get('access-control-expose-headers'),
  credentials: headers.get('access-control-allow-credentials'),
});
const readable = (status: number, origin: string) => ({ status, origin, exposed: '*', credentials: null });

const MCP = ['/mcp', '/mcp?tools=all', '/mcp/calendar', '/mcp/apps/{id}', '/mcp/apps/{id}/calendar'];
const ENDPOINTS = ['/agents/{id}/register', '/agents/{id}/token', '/agents/{id}/revoke'];
const DOCUMENTS = [
  '/.well-known/oauth-protected-resource/mcp',
  '/.well-known/oauth-protected-resource/mcp/calendar',
  '/.well-known/oauth-protected-resource/mcp/apps/{id}',
  '/.well-known/oauth-protected-resource/mcp/apps/{id}/calendar',
  '/.well-known/oauth-authorization-server/agents/{id}',
];

describe('the CORS preflight', () => {
  test.each([...MCP, ...ENDPOINTS])('T5, E2: is granted only to a registered origin at %s', async (path) => {
    const granted = await preflight(path, OWN);
    expect(readOf(granted)).toEqual(readable(204, OWN));
    expect(granted.headers.get('access-control-allow-headers')).toBe(WANTED);
    expect(granted.headers.get('access-control-allow-methods')?.split(', ')).toEqual(
      expect.arrayContaining(['GET', 'POST', 'DELETE']),
    );
    expect(granted.headers.get('access-control-max-age')).toBe('600');
    expect(granted.headers.get('vary')).toBe('origin, access-control-request-headers');
    for (const origin of [UNKNOWN, 'null', `${OWN}.evil.example`]) {
      const refused = await preflight(path, origin);
      expect([refused.status, allowedBy(refused)]).toEqual([403, null]);
    }
  });

  test.each(DOCUMENTS)('is granted to every origin for GET at %s', async (path) => {
    for (const origin of [OWN, UNKNOWN, 'null']) {
      const granted = await preflight(path, origin, 'GET');
      expect(readOf(granted)).toEqual(readable(204, '*'));
      expect(granted.headers.get('access-control-allow-methods')).toBe('GET');
      expect(granted.headers.get('access-control-allow-headers')).toBe(WANTED);
    }
  });

  test.each([
    '/agents/{id}/authorize',
    '/agents/{id}/consent/x',
    '/agents/{id}/tokens',
    '/oauth/token',
    '/dashboard',
  ])('T5: is granted to no origin at %s', async (path) => {
    expect(allowedBy(await preflight(path, OWN))).toBeNull();
  });
});

describe('a discovery document', () => {
  test.each(DOCUMENTS)('is readable by every page: %s', async (path) => {
    for (const origin of [UNKNOWN, 'null']) {
      const reply = await fetch(urlOf(path), { headers: { origin, 'mcp-protocol-version': '2025-11-25' } });
      expect(readOf(reply)).toEqual(readable(200, '*'));
      // The response is equal for all origins, so caches may share it and no `Vary` header is needed.
      expect(reply.headers.get('vary')).toBeNull();
    }
  });

  test('is a readable 404 when it does not exist', async () => {
    const reply = await fetch(`${service.url}/.well-known/openid-configuration/agents/x`);
    expect(readOf(reply)).toEqual(readable(404, '*'));
  });
});

describe('a page of a registered origin', () => {
  const atEndpoint = (headers: Readonly<Record<string, string>>, method = 'POST') =>
    fetch(urlOf('/mcp/apps/{id}'), {
      method,
      headers: { ...MESSAGE, origin: OWN, ...headers },
      ...(method === 'POST' && { body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' }),
    });
  const post = (
    name: string,
    body: string | URLSearchParams,
    headers: Readonly<Record<string, string>> = {},
  ) => fetch(`${signing.issuer}/${name}`, { method: 'POST', headers: { origin: OWN, ...headers }, body });

  test('E1, E2: can read the 401 with the resource metadata and the 405 of the missing stream', async () => {
    const refused = await atEndpoint({});
    expect(readOf(refused)).toEqual(readable(401, OWN));
    expect(refused.headers.get('www-authenticate')).toContain('resource_metadata=');
    const noStream = await atEndpoint({ authorization: `Bearer ${token}` }, 'GET');
    expect(readOf(noStream)).toEqual(readable(405, OWN));
    expect(noStream.headers.get('vary')).toBe('origin');
  });

  test('T5: registers a client, gets a token, uses it and revokes it', async () => {
    const registered = await post('register', JSON.stringify(REGISTRATION), MESSAGE);
    expect(readOf(registered)).toEqual(readable(201, OWN));
    const { client_id: clientId } = (await registered.json()) as { client_id: string };
    const { verifier, challenge } = createVerifier();
    const redirect = { redirect_uri: `${OWN}/callback` };
    const back = await agree(signing, authorizeUrl({ ...signing, clientId }, challenge, redirect));
    expect(back.origin).toBe(OWN);
    const code = codeForm({ ...signing, clientId }, back.searchParams.get('code') ?? '', verifier);
    const got = await post('token', new URLSearchParams({ ...code, ...redirect }));
    expect(readOf(got)).toEqual(readable(200, OWN));
    expect(got.headers.get('vary')).toBe('origin');
    const tokens = (await got.json()) as { access_token: string; refresh_token: string };
    const listed = await atEndpoint({ authorization: `Bearer ${tokens.access_token}` });
    expect(readOf(listed)).toEqual(readable(200, OWN));
    const form = { token: tokens.refresh_token, client_id: clientId };
    expect(readOf(await post('revoke', new URLSearchParams(form)))).toEqual(readable(200, OWN));
    expect((await atEndpoint({ authorization: `Bearer ${tokens.access_token}` })).status).toBe(401);
  });

  test('T5: can read the error of an invalid token request', async () => {
    const reply = await post('token', new URLSearchParams({ grant_type: 'password' }));
    expect(readOf(reply)).toEqual(readable(400, OWN));
    expect(await reply.json()).toMatchObject({ error: 'unsupported_grant_type' });
  });
});

describe('a page of another origin', () => {
  const BODIES: readonly {
    name: string;
    body: () => string | URLSearchParams;
    headers?: Readonly<Record<string, string>>;
  }[] = [
    { name: 'register', body: () => JSON.stringify(REGISTRATION), headers: MESSAGE },
    { name: 'token', body: () => new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x' }) },
    { name: 'revoke', body: () => new URLSearchParams({ token: 'x' }) },
  ];

  test.each(BODIES)('T5: is refused at $name', async ({ name, body, headers }) => {
    for (const origin of [UNKNOWN, FOREIGN, 'null']) {
      const sent = { method: 'POST', headers: { origin, ...headers }, body: body() };
      const reply = await fetch(`${signing.issuer}/${name}`, sent);
      expect([reply.status, allowedBy(reply), reply.headers.get('svc-error')]).toEqual([
        403,
        null,
        'origin_not_allowed',
      ]);
    }
  });

  test('T5: does not use up an authorization code, which still works for its client', async () => {
    const { verifier, challenge } = createVerifier();
    const back = await agree(signing, authorizeUrl(signing, challenge));
    const form = codeForm(signing, back.searchParams.get('code') ?? '', verifier);
    const body = new URLSearchParams(form);
    const refused = await fetch(`${signing.issuer}/token`, {
      method: 'POST',
      headers: { origin: FOREIGN },
      body,
    });
    expect(refused.status).toBe(403);
    expect((await postForm(`${signing.issuer}/token`, form)).status).toBe(200);
  });

  test.each([UNKNOWN, FOREIGN, 'null'])(
    'E2: is refused at MCP even with a valid token: %s',
    async (origin) => {
      for (const path of MCP) {
        const headers = { ...MESSAGE, origin, authorization: `Bearer ${token}` };
        const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
        const reply = await fetch(urlOf(path), { method: 'POST', headers, body });
        expect([reply.status, reply.headers.get('svc-error')]).toEqual([403, 'origin_not_allowed']);
        if (origin !== FOREIGN) expect(allowedBy(reply)).toBeNull();
      }
    },
  );
});

test('T5: a removed origin is refused at once', async () => {
  const at = () => fetch(`${signing.issuer}/revoke`, { method: 'POST', headers: { origin: OWN } });
  const before = await at();
  expect(allowedBy(before)).toBe(OWN);
  await service.app.applications.change(service.clientId, { origins: [] });
  const after = await at();
  expect([after.status, allowedBy(after)]).toEqual([403, null]);
  await service.app.applications.change(service.clientId, { origins: [OWN] });
});
