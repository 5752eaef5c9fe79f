import { startSandbox } from '@svc/sandbox';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listForSandbox } from '../support/service/allowed-origins.js';
import { type Application, signIn } from '../support/service/application.js';
import { type Service, startService } from '../support/service/service.js';
import { type Documents, startDocuments } from '../support/upstreams/documents.js';

let documents: Documents;
/** Metadata server at an origin that the operator allows only for another connector. */
let unlisted: Documents;
let service: Service;
let call: Application['call'];

beforeAll(async () => {
  [documents, unlisted] = await Promise.all([startDocuments(), startDocuments()]);
  const sandbox = await startSandbox({ connectors: ['notesmcp'] });
  const origins = listForSandbox(sandbox, [documents.origin]);
  const flags = ['--allowed-origins', `${origins},calendar=${unlisted.origin}`];
  service = await startService({ sandbox, flags });
  ({ call } = await signIn(service));
});

afterAll(async () => {
  await service.stop();
  documents.stop();
  unlisted.stop();
});

beforeEach(() => {
  documents.describe();
  unlisted.describe();
});

let connections = 0;

/**
 * Requests an authorization link for a new connection to the MCP server, which makes the service discover its metadata.
 */
async function requestLink() {
  connections += 1;
  const connectionName = `found-${connections}`;
  const baseUrl = `${documents.origin}/${connections}`;
  const created = await call('POST', '/v1/connections', {
    body: { connectionName, connector: 'notesmcp', baseUrl },
  });
  expect(created.status).toBe(201);
  return call('POST', `/v1/connections/${connectionName}/accounts/ada/authorization-link`, { body: {} });
}

const messageOf = (reply: Awaited<ReturnType<typeof requestLink>>) =>
  reply.json<{ error?: { code: string; message: string } }>().error;

// Endpoints to which the service must not send a browser or a request.
const HOSTILE = [
  'http://auth.example.com/authorize',
  'http://127.0.0.1:1/authorize',
  'http://169.254.169.254/latest/meta-data/',
  'https://auth.example.com:8443/authorize',
  'https://localhost:4400/connect',
  'https://user@auth.example.com/authorize',
  'https://user:password@auth.example.com/authorize',
  'https://@auth.example.com/authorize',
  'https://auth.example.com@evil.example.com/authorize',
  'https://auth.example.com/authorize#fragment',
  'https://auth.example.com/authorize#',
  'https://auth.example.com\\@evil.example.com/',
  'https:\\\\auth.example.com\\authorize',
  'https:auth.example.com/authorize',
  'https:///auth.example.com/authorize',
  '//auth.example.com/authorize',
  '/authorize',
  'javascript:alert(1)',
  'JavaScript:alert(1)//https://auth.example.com',
  'data:text/html,<script>alert(1)</script>',
  'file:///etc/passwd',
  'ftp://auth.example.com/authorize',
  'ws://auth.example.com/authorize',
  'blob:https://auth.example.com/1',
  ' https://auth.example.com/authorize',
  'https://auth.exam\nple.com/authorize',
  'https://auth.example.com/\u0000',
  '',
];
const ENDPOINTS = ['token_endpoint', 'registration_endpoint', 'revocation_endpoint'];

test.each(HOSTILE)(
  'O17: a user is never redirected to the authorization endpoint %j of the metadata',
  async (authorization_endpoint) => {
    documents.describe({ server: { authorization_endpoint } });
    const error = messageOf(await requestLink());
    expect(error).toMatchObject({ code: 'connection_not_configured' });
    expect(error?.message).toMatch(
      /authorization_endpoint.*\. Ask the operator of the authorization server to .+ `baseUrl` is wrong/,
    );
    expect(documents.requests.map(({ url }) => url)).not.toContain('/register');
  },
);

test.each(ENDPOINTS.flatMap((name) => HOSTILE.slice(0, 12).map((url) => ({ name, url }))))(
  'O17: a $name of $url in the metadata gets no request',
  async ({ name, url }) => {
    documents.describe({ server: { [name]: url } });
    expect(messageOf(await requestLink())).toMatchObject({ code: 'connection_not_configured' });
    expect(documents.requests.map((request) => request.url)).not.toContain('/register');
  },
);

test('O17: the query of the authorization endpoint stays unchanged and cannot override parameters', async () => {
  const names = [
    'client_id',
    'redirect_uri',
    'state',
    'scope',
    'resource',
    'code_challenge',
    'response_type',
  ];
  const query = new URLSearchParams(Object.fromEntries(names.map((name) => [name, 'evil'])));
  documents.describe({
    server: { authorization_endpoint: `${documents.origin}/authorize?tenant=a&${query}` },
  });
  const { link } = (await requestLink()).json<{ link: string }>();
  const page = await fetch(link);
  const begun = await fetch(link, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: page.headers.getSetCookie().join(';').split(';')[0] ?? '' },
    body: new URLSearchParams({ decision: 'allow' }),
  });
  const { searchParams } = new URL(begun.headers.get('location') ?? '');
  expect(searchParams.get('tenant')).toBe('a');
  expect(searchParams.get('client_id')).toBe('registered');
  expect(searchParams.get('resource')).toBe(documents.origin);
  expect([...searchParams.values()]).not.toContain('evil');
});

test('O13: discovery reads the documents in order and without credentials', async () => {
  const reply = await requestLink();
  expect(reply.status).toBe(200);
  expect(documents.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'POST /mcp',
    `GET ${documents.paths.resource}`,
    `GET ${documents.paths.server}`,
    'POST /register',
  ]);
  for (const { headers } of documents.requests) {
    expect(headers).not.toHaveProperty('authorization');
    expect(headers).not.toHaveProperty('cookie');
  }
});

test.each([
  { title: 'a redirect of the resource metadata', of: 'resource' },
  { title: 'a redirect of the server metadata', of: 'server' },
] as const)('O13: discovery does not follow $title to an origin of another connector', async ({ of }) => {
  const path = documents.paths[of];
  documents.set(path, { location: unlisted.origin + path });
  expect(messageOf(await requestLink())).toMatchObject({ code: 'connection_not_configured' });
  expect(unlisted.requests).toEqual([]);
});

test.each(['https://127.0.0.1/', 'https://10.0.0.1/', 'https://[::1]/', 'https://169.254.169.254/'])(
  'O13: discovery does not connect to the redirect target %s',
  async (location) => {
    documents.set(documents.paths.resource, { location });
    expect(messageOf(await requestLink())).toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/^[^.]+"\. The authorization server [^.]+\. Retry later\.$/),
    });
  },
);

test('O13: discovery follows three redirects on the same origin, and no fourth', async () => {
  const { resource } = documents.paths;
  for (const [from, to] of [
    [resource, '/1'],
    ['/1', '/2'],
    ['/2', '/3'],
  ] as const) {
    documents.set(from, { location: to });
  }
  documents.set('/3', { resource: documents.origin, authorization_servers: [documents.origin] });
  expect((await requestLink()).status).toBe(200);
  documents.describe();
  for (const path of [resource, '/1', '/2', '/3']) documents.set(path, { location: '/1' });
  expect(messageOf(await requestLink())?.message).toContain('more than 3 times');
});

test.each([
  { title: 'of another resource', change: { resource: { resource: 'https://evil.example.com/mcp' } } },
  { title: 'of another issuer', change: { server: { issuer: 'https://evil.example.com' } } },
  { title: 'without S256', change: { server: { code_challenge_methods_supported: ['plain'] } } },
  { title: 'over 256 KiB', change: { server: { more: 'x'.repeat(256 * 1024) } } },
])('O13: discovery refuses a document $title', async ({ change }) => {
  documents.describe(change);
  expect(messageOf(await requestLink())).toMatchObject({ code: 'connection_not_configured' });
  expect(documents.requests.map(({ url }) => url)).not.toContain('/register');
});
