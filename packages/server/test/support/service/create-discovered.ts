import type { Connector } from '../../../src/connections/connector.js';
import type { RefusedCall } from '../../../src/connections/handle-challenge.js';
import type { ResolvedAccount } from '../../../src/connections/resolved-account.js';
import type { Fetch } from '../../../src/http/fetch.js';
import type { TestAuthorizationServer } from '../upstreams/authorization-server.js';
import { CONNECTORS, createTenant, type TenantOptions } from './create-tenant.js';
import { testFetch } from './test-fetch.js';

const MCP = 'https://mcp.mail.example';

const connector: Connector = {
  id: 'mail',
  title: 'Mail',
  service: 'Mail',
  baseUrl: MCP,
  hosts: {},
  mcp: { path: '/mcp?tools=all' },
  auth: {
    type: 'mcp_oauth',
    scopes: [],
    inject: { header: 'Authorization', value: 'Bearer {credential}' },
  },
};

/** State of the fake MCP server and its authorization server. Tests may change it at any time. */
interface Said {
  issuer: string;
  /** Responses to the next client registrations, in order. When the list is empty, registration succeeds. */
  readonly registrations: Response[];
  resourceStatus: number;
  /** Second issuer that the metadata of the MCP server lists, with the same endpoints as the first issuer. */
  second: string | undefined;
  serverStatus: number;
  /** Fields added to the authorization server metadata; `undefined` removes a field. */
  metadata: Readonly<Record<string, unknown>>;
}

const PKCE = { code_challenge_methods_supported: ['S256'] };

function documentAt(upstream: TestAuthorizationServer, said: Said, url: string): Response | undefined {
  const { issuer } = said;
  const endpoints = {
    authorization_endpoint: upstream.authorizationEndpoint,
    token_endpoint: upstream.tokenEndpoint,
    revocation_endpoint: upstream.revocationEndpoint,
    registration_endpoint: `${upstream.origin}/register`,
  };
  const pages: Readonly<Record<string, () => Response>> = {
    [`${MCP}/mcp`]: () =>
      new Response(null, { status: 401, headers: { 'www-authenticate': 'Bearer scope="read"' } }),
    [`${MCP}/.well-known/oauth-protected-resource/mcp`]: () =>
      Response.json(
        {
          resource: `${MCP}/mcp`,
          authorization_servers: [issuer, said.second].filter((each) => each !== undefined),
        },
        { status: said.resourceStatus },
      ),
    [`${issuer}/.well-known/oauth-authorization-server`]: () =>
      Response.json({ ...endpoints, issuer, ...PKCE, ...said.metadata }, { status: said.serverStatus }),
    [`${said.second}/.well-known/oauth-authorization-server`]: () =>
      Response.json({ ...endpoints, issuer: said.second, ...PKCE }),
    [`${upstream.origin}/register`]: () =>
      said.registrations.shift() ??
      Response.json(
        {
          client_id: upstream.clientId,
          client_secret: upstream.clientSecret,
          client_secret_expires_at: 0,
          token_endpoint_auth_method: 'client_secret_post',
        },
        { status: 201 },
      ),
  };
  const isOurs = url.startsWith(MCP) || url.startsWith(issuer);
  return pages[url]?.() ?? (isOurs ? new Response(null, { status: 404 }) : undefined);
}

/**
 * Creates a tenant whose connection `mail` uses an MCP server. The service discovers its metadata and registers a
 * client.
 */
export async function createDiscovered(options: Omit<TenantOptions, 'fetchOf'> = {}) {
  const requested: string[] = [];
  const said: Said = {
    issuer: 'https://auth.mail.example',
    registrations: [],
    resourceStatus: 200,
    second: undefined,
    serverStatus: 200,
    metadata: {},
  };
  const fetchOf =
    (upstream: TestAuthorizationServer): Fetch =>
    async (url, init) => {
      requested.push(String(url));
      return documentAt(upstream, said, String(url)) ?? testFetch(url, init);
    };
  const tenant = await createTenant({
    settings: {},
    ...options,
    fetchOf,
    parts: { connectors: new Map([...CONNECTORS, ['mail', connector]]), ...options.parts },
  });

  /** Returns a 401 of the MCP server to a call that used the account's present token. */
  async function refusedToken(account: ResolvedAccount): Promise<RefusedCall> {
    const { credentials } = tenant;
    const credential = await credentials.current(account);
    return {
      status: 401,
      operation: 'tools/call read',
      header: 'Bearer error="invalid_token"',
      endAccess: (advice) => credentials.end(account, credential, advice),
    };
  }

  const count = (part: string) => requested.filter((url) => url.endsWith(part)).length;
  return {
    ...tenant,
    said,
    refusedToken,
    registrations: () => count('/register'),
    discoveries: () => count('/.well-known/oauth-protected-resource/mcp'),
    refreshes: () => tenant.upstream.tokenRequests('refresh_token'),
  };
}
