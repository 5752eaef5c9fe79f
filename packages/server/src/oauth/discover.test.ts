import { expect, test } from 'vitest';
import { cpuOf, TIMED } from '../../test/support/processes/cpu-of.js';
import { problemOf } from '../connections/endpoint-url.js';
import type { Fetch } from '../http/fetch.js';
import { createDiscover } from './discover.js';

const MCP = 'https://mcp.notes.example/mcp';
const RESOURCE = 'https://mcp.notes.example/.well-known/oauth-protected-resource';
const ISSUER = 'https://auth.notes.example';
const SERVER = `${ISSUER}/.well-known/oauth-authorization-server`;

const resource = { resource: MCP, authorization_servers: [ISSUER], scopes_supported: ['mcp'] };
const server = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/authorize`,
  token_endpoint: `${ISSUER}/token`,
  registration_endpoint: `${ISSUER}/register`,
  code_challenge_methods_supported: ['S256'],
};

type Page = object | string | number | { readonly location: string };
type Pages = Readonly<Record<string, Page>>;

function respond(page: Page | undefined): Response {
  if (page === undefined || typeof page === 'number') return new Response(null, { status: page ?? 404 });
  if (typeof page === 'string') return new Response(page, { headers: { 'content-type': 'text/html' } });
  const isRedirect = 'location' in page && typeof page.location === 'string';
  return isRedirect
    ? new Response(null, { status: 302, headers: { location: page.location } })
    : Response.json(page);
}

function setUp(pages: Pages, challenge: string | undefined = undefined, status = 401) {
  const requests: string[] = [];
  const fetch: Fetch = async (url, init) => {
    const href = String(url);
    requests.push(href);
    if (init?.method !== 'POST') return respond(pages[href]);
    const headers = challenge === undefined ? {} : { 'www-authenticate': challenge };
    return new Response(null, { status, headers });
  };
  const discover = createDiscover({ fetch, problemOf: (_, url) => problemOf(url, () => false) });
  return { discover, requests };
}

test('O13: discovery follows the challenge to the resource and to its authorization server', async () => {
  const resourceUrl = 'https://mcp.notes.example/about';
  const { discover, requests } = setUp(
    { [resourceUrl]: resource, [SERVER]: server },
    `Basic realm="a, b", Bearer error="invalid_token", resource_metadata="${resourceUrl}"`,
  );
  expect(await discover(MCP, 'notes')).toMatchObject({
    server: {
      issuer: ISSUER,
      resource: MCP,
      authorizationEndpoint: `${ISSUER}/authorize`,
      tokenEndpoint: `${ISSUER}/token`,
      revocationEndpoint: undefined,
    },
    registrationEndpoint: `${ISSUER}/register`,
    clientAuthentications: ['client_secret_basic'],
    scopes: ['mcp'],
  });
  expect(requests).toEqual([MCP, resourceUrl, SERVER]);
});

test.each([
  {
    title: 'a challenge without a URL: the path, then the root',
    mcp: MCP,
    pages: { [RESOURCE]: resource, [SERVER]: server },
    requests: [`${RESOURCE}/mcp`, RESOURCE, SERVER],
  },
  {
    title: 'an MCP server at the root: the root once',
    mcp: 'https://mcp.notes.example/',
    pages: { [RESOURCE]: { ...resource, resource: 'https://mcp.notes.example' }, [SERVER]: server },
    requests: [RESOURCE, SERVER],
  },
  {
    title: 'an issuer without a path: OAuth, then OpenID',
    mcp: MCP,
    pages: {
      [`${RESOURCE}/mcp`]: resource,
      [`${ISSUER}/.well-known/openid-configuration`]: server,
    },
    requests: [`${RESOURCE}/mcp`, SERVER, `${ISSUER}/.well-known/openid-configuration`],
  },
  {
    title: 'an issuer with a path: three URLs',
    mcp: MCP,
    pages: {
      [`${RESOURCE}/mcp`]: { ...resource, authorization_servers: [`${ISSUER}/t`] },
      [`${ISSUER}/t/.well-known/openid-configuration`]: { ...server, issuer: `${ISSUER}/t` },
    },
    requests: [
      `${RESOURCE}/mcp`,
      `${SERVER}/t`,
      `${ISSUER}/.well-known/openid-configuration/t`,
      `${ISSUER}/t/.well-known/openid-configuration`,
    ],
  },
  {
    title: 'three redirects of one document',
    mcp: MCP,
    pages: {
      [`${RESOURCE}/mcp`]: { location: '/1' },
      'https://mcp.notes.example/1': { location: 'https://mcp.notes.example/2' },
      'https://mcp.notes.example/2': { location: '/3' },
      'https://mcp.notes.example/3': resource,
      [SERVER]: server,
    },
    requests: [
      `${RESOURCE}/mcp`,
      'https://mcp.notes.example/1',
      'https://mcp.notes.example/2',
      'https://mcp.notes.example/3',
      SERVER,
    ],
  },
])('O13: discovery requests the documents in order: $title', async ({ mcp, pages, requests: expected }) => {
  const { discover, requests } = setUp(pages);
  await discover(mcp, 'notes');
  expect(requests).toEqual([mcp, ...expected]);
});

const documents = { [`${RESOURCE}/mcp`]: resource };
const pagesOf = (change: object) => ({ ...documents, [SERVER]: { ...server, ...change } });
const resourceOf = (change: object) => ({
  [`${RESOURCE}/mcp`]: { ...resource, ...change },
  [SERVER]: server,
});

test.each([
  {
    title: 'a resource on another origin',
    pages: resourceOf({ resource: 'https://other.example/mcp' }),
    message: /another resource/,
  },
  {
    title: 'a resource next to the MCP server',
    pages: resourceOf({ resource: 'https://mcp.notes.example/mc' }),
    message: /another resource/,
  },
  {
    title: 'a resource below the MCP server',
    pages: resourceOf({ resource: `${MCP}/more` }),
    message: /another resource/,
  },
  {
    title: 'no authorization server',
    pages: resourceOf({ authorization_servers: [] }),
    message: /no authorization server/,
  },
  {
    title: 'an issuer over http',
    pages: resourceOf({ authorization_servers: ['http://auth.notes.example'] }),
    message: /issuer .* is not https/,
  },
  {
    title: 'an issuer above 1024 characters',
    pages: resourceOf({ authorization_servers: [`${ISSUER}/${'x'.repeat(1024)}`] }),
    message: /at most 1024/,
  },
  { title: 'missing metadata of the server', pages: documents, message: /publishes no metadata/ },
  {
    title: 'metadata of another issuer',
    pages: pagesOf({ issuer: 'https://evil.example' }),
    message: /belongs to another issuer/,
  },
  ...[`${ISSUER}//`, `${ISSUER}:443`, 'https://AUTH.notes.example', `${ISSUER}/?a`, `${ISSUER}/t`].map(
    (issuer) => ({
      title: `metadata of the issuer ${issuer}`,
      pages: pagesOf({ issuer }),
      message: /belongs to another issuer/,
    }),
  ),
  {
    title: 'an issuer with a path that differs by a slash',
    pages: {
      [`${RESOURCE}/mcp`]: { ...resource, authorization_servers: [`${ISSUER}/t/`] },
      [`${SERVER}/t`]: { ...server, issuer: `${ISSUER}/t` },
    },
    message: /belongs to another issuer/,
  },
  {
    title: 'no token endpoint',
    pages: pagesOf({ token_endpoint: undefined }),
    message: /no token_endpoint/,
  },
  {
    title: 'a token endpoint over http',
    pages: pagesOf({ token_endpoint: 'http://auth.notes.example/token' }),
    message: /token_endpoint .* is not https/,
  },
  {
    title: 'an authorization endpoint with a script',
    pages: pagesOf({ authorization_endpoint: 'javascript:alert(1)' }),
    message: /authorization_endpoint .* is not an absolute https URL/,
  },
  {
    title: 'an authorization endpoint with a user',
    pages: pagesOf({ authorization_endpoint: 'https://me:you@auth.notes.example/' }),
    message: /contains a user name/,
  },
  {
    title: 'a registration endpoint on another port',
    pages: pagesOf({ registration_endpoint: 'https://localhost:8443/register' }),
    message: /registration_endpoint .* is not https on port 443/,
  },
  {
    title: 'a redirect to http',
    pages: { [`${RESOURCE}/mcp`]: { location: 'http://mcp.notes.example/1' } },
    message: /is not https/,
  },
  {
    title: 'a fourth redirect',
    pages: { [`${RESOURCE}/mcp`]: { location: `${RESOURCE}/mcp` } },
    message: /more than 3 times/,
  },
  {
    title: 'a document above 256 KiB',
    pages: { [`${RESOURCE}/mcp`]: { resource: 'x'.repeat(256 * 1024) } },
    message: /larger than the maximum of 256 KiB/,
  },
  { title: 'a document that is a list', pages: { [`${RESOURCE}/mcp`]: [] }, message: /not a JSON object/ },
])('O13: discovery refuses $title', async ({ pages, message }) => {
  const refused = setUp(pages).discover(MCP, 'notes');
  await expect(refused).rejects.toMatchObject({
    failure: 'unusable',
    message: expect.stringMatching(message),
  });
});

const OTHER = 'https://auth.other.example';
const otherServer = { ...server, issuer: OTHER };

test.each([
  {
    title: 'the first URL of the resource fails',
    pages: { [`${RESOURCE}/mcp`]: 500, [RESOURCE]: resource, [SERVER]: server },
    issuer: ISSUER,
    isFallback: true,
  },
  {
    title: 'the first URL of the server fails',
    pages: { ...documents, [SERVER]: 503, [`${ISSUER}/.well-known/openid-configuration`]: server },
    issuer: ISSUER,
    isFallback: true,
  },
  {
    title: 'the first server fails',
    pages: {
      [`${RESOURCE}/mcp`]: { ...resource, authorization_servers: [ISSUER, OTHER] },
      [SERVER]: 500,
      [`${OTHER}/.well-known/oauth-authorization-server`]: otherServer,
    },
    issuer: OTHER,
    isFallback: true,
  },
  {
    title: 'the first server has no metadata',
    pages: {
      [`${RESOURCE}/mcp`]: { ...resource, authorization_servers: [ISSUER, OTHER] },
      [`${OTHER}/.well-known/oauth-authorization-server`]: otherServer,
    },
    issuer: OTHER,
    isFallback: false,
  },
])('O13: discovery tries the next URL or server when $title', async ({ pages, issuer, isFallback }) => {
  const discovered = await setUp(pages).discover(MCP, 'notes');
  expect(discovered).toMatchObject({ server: { issuer }, isFallback });
});

test('O13: discovery is unavailable when every URL fails', async () => {
  const pages = { ...documents, [SERVER]: 503, [`${ISSUER}/.well-known/openid-configuration`]: 404 };
  await expect(setUp(pages).discover(MCP, 'notes')).rejects.toMatchObject({ failure: 'unavailable' });
});

test.each([
  { title: 'lists it with a trailing slash', listed: `${ISSUER}/`, resourceIssuer: ISSUER },
  { title: 'lists it without a trailing slash', listed: ISSUER, resourceIssuer: `${ISSUER}/` },
])(
  'O13: an issuer without a path also matches when the resource $title',
  async ({ listed, resourceIssuer }) => {
    const pages = {
      [`${RESOURCE}/mcp`]: { ...resource, authorization_servers: [listed] },
      [SERVER]: { ...server, issuer: resourceIssuer },
    };
    expect((await setUp(pages).discover(MCP, 'notes')).server.issuer).toBe(resourceIssuer);
  },
);

test.each([
  { methods: ['S256', 'plain'], announcesPkce: true },
  { methods: ['plain'], announcesPkce: false },
  { methods: undefined, announcesPkce: false },
])('O9: PKCE support is read from $methods', async ({ methods, announcesPkce }) => {
  const pages = pagesOf({ code_challenge_methods_supported: methods });
  expect(await setUp(pages).discover(MCP, 'notes')).toMatchObject({ announcesPkce });
});

const AT_ORIGIN = 'https://mcp.notes.example';

test.each([
  {
    title: 'metadata at the origin',
    pages: {
      [`${AT_ORIGIN}/.well-known/oauth-authorization-server`]: {
        ...server,
        issuer: AT_ORIGIN,
        scopes_supported: ['everything'],
      },
    },
    endpoint: `${ISSUER}/authorize`,
  },
  {
    title: 'its metadata, although unknown paths give a page,',
    pages: {
      [`${RESOURCE}/mcp`]: '\n<!doctype html>',
      [RESOURCE]: '<html>',
      [`${AT_ORIGIN}/.well-known/oauth-authorization-server`]: { ...server, issuer: AT_ORIGIN },
    },
    endpoint: `${ISSUER}/authorize`,
  },
  { title: 'the default paths', pages: {}, endpoint: `${AT_ORIGIN}/authorize` },
])('O13: discovery falls back to $title for a server of 2025-03-26', async ({ pages, endpoint }) => {
  const { discover } = setUp(pages);
  const discovered = await discover(MCP, 'notes');
  expect(discovered).toMatchObject({
    server: { issuer: AT_ORIGIN, resource: undefined, authorizationEndpoint: endpoint },
    announcesPkce: true,
    scopes: [],
  });
});

test.each([
  {
    title: 'a server that requires no token',
    pages: {},
    status: 404,
    message: /publishes no authorization server/,
  },
  {
    title: 'metadata at the origin that belongs to another issuer',
    pages: { [`${AT_ORIGIN}/.well-known/oauth-authorization-server`]: server },
    status: 401,
    message: /another issuer/,
  },
  {
    title: 'a page at the URL in the challenge',
    pages: { [RESOURCE]: '<html>' },
    status: 401,
    challenge: `Bearer resource_metadata="${RESOURCE}"`,
    message: /not a JSON object/,
  },
  {
    title: 'a page at all paths',
    pages: {
      [`${RESOURCE}/mcp`]: '<html>',
      [`${AT_ORIGIN}/.well-known/oauth-authorization-server`]: '<html>',
    },
    status: 401,
    message: /not a JSON object/,
  },
])('O13: discovery does not fall back for $title', async ({ pages, status, message, challenge }) => {
  await expect(setUp(pages, challenge, status).discover(MCP, 'notes')).rejects.toMatchObject({
    failure: 'unusable',
    message: expect.stringMatching(message),
  });
});

test.each([
  {
    title: 'the scopes of the challenge',
    challenge: 'Bearer scope="notes.read notes.list"',
    change: {},
    scopes: ['notes.read', 'notes.list'],
  },
  { title: 'the scopes of the resource', challenge: 'Bearer', change: {}, scopes: ['mcp'] },
  {
    title: 'the scopes of the resource and offline_access when the server supports it',
    challenge: 'Bearer',
    change: { scopes_supported: ['mcp', 'email', 'offline_access'] },
    scopes: ['mcp', 'offline_access'],
  },
  {
    title: 'no scopes when neither document names any',
    challenge: 'Bearer',
    change: {},
    supported: undefined,
    scopes: [],
  },
])('O16: discovery requests $title', async ({ challenge, change, scopes, ...rest }) => {
  const override =
    'supported' in rest ? { [`${RESOURCE}/mcp`]: { ...resource, scopes_supported: rest.supported } } : {};
  const pages = { ...pagesOf(change), ...override };
  expect((await setUp(pages, challenge).discover(MCP, 'notes')).scopes).toEqual(scopes);
});

test('the consent is requested explicitly with offline_access', async () => {
  const { discover } = setUp(pagesOf({ scopes_supported: ['offline_access'] }));
  expect((await discover(MCP, 'notes')).server.authorizationParameters).toEqual({ prompt: 'consent' });
});

test.each([
  { title: 'the MCP server', silent: MCP },
  { title: 'the metadata of the resource', silent: `${RESOURCE}/mcp` },
  { title: 'the metadata of the authorization server', silent: SERVER },
])('O13: discovery stops waiting for $title at its timeout', async ({ silent }) => {
  const requests: string[] = [];
  const pages: Pages = pagesOf({});
  const fetch: Fetch = async (url, init) => {
    const href = String(url);
    requests.push(href);
    const isSilent = href === silent;
    if (isSilent) await new Promise((_, reject) => init?.signal?.addEventListener('abort', reject));
    return init?.method === 'POST' ? new Response(null, { status: 401 }) : respond(pages[href]);
  };
  const problemIn = (_: string, url: string) => problemOf(url, () => false);
  const discover = createDiscover({ fetch, problemOf: problemIn, timeoutMs: 20 });
  await expect(discover(MCP, 'notes')).rejects.toMatchObject({ failure: 'unavailable' });
  expect(requests).toContain(silent);
});

test('O13: discovery keeps the resource exactly as the server writes it', async () => {
  const bare = 'https://mcp.notes.example';
  const pages = { [RESOURCE]: { ...resource, resource: bare }, [SERVER]: server };
  expect((await setUp(pages).discover(`${bare}/`, 'notes')).server.resource).toBe(bare);
});

test('F9: a URL full of slashes is parsed in one pass', TIMED, async () => {
  const full = `${MCP}${'/'.repeat(200_000)}x`;
  const { discover } = setUp({ [RESOURCE]: { ...resource, resource: full } });
  const ms = await cpuOf(() => expect(discover(MCP, 'notes')).rejects.toThrow('belongs to another resource'));
  expect(ms).toBeLessThan(500);
});

const REDIRECTS = [
  { status: 307, location: '/mcp/', isFollowed: true },
  { status: 308, location: `${MCP}/`, isFollowed: true },
  { status: 302, location: '/mcp/', isFollowed: false },
  { status: 307, location: 'https://elsewhere.example/mcp', isFollowed: false },
];

test.each(REDIRECTS)(
  'discovery looks for the challenge behind the redirect $status to $location: $isFollowed',
  async ({ status, location, isFollowed }) => {
    const posted: string[] = [];
    const fetch: Fetch = async (url, init) => {
      const pages: Pages = { [`${ISSUER}/about`]: resource, [SERVER]: server };
      if (init?.method !== 'POST') return respond(pages[String(url)]);
      posted.push(String(url));
      if (posted.length === 1) return new Response(null, { status, headers: { location } });
      const challenge = `Bearer resource_metadata="${ISSUER}/about"`;
      return new Response(null, { status: 401, headers: { 'www-authenticate': challenge } });
    };
    const running = createDiscover({ fetch, problemOf: () => undefined })(MCP, 'notes');
    if (isFollowed) expect(await running).toMatchObject({ server: { issuer: ISSUER } });
    else await expect(running).rejects.toMatchObject({ failure: 'unusable' });
    expect(posted).toEqual(isFollowed ? [MCP, `${MCP}/`] : [MCP]);
  },
);

test.each([null, [], ''])(
  'blank endpoints and the client authentications %j mean absent',
  async (methods) => {
    const blank = { registration_endpoint: '', revocation_endpoint: ' ' };
    const document = { ...server, ...blank, token_endpoint_auth_methods_supported: methods };
    const { discover } = setUp({ [RESOURCE]: resource, [`${RESOURCE}/mcp`]: resource, [SERVER]: document });
    expect(await discover(MCP, 'notes')).toMatchObject({
      registrationEndpoint: undefined,
      server: { revocationEndpoint: undefined },
      clientAuthentications: ['client_secret_basic'],
    });
  },
);
