import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { UnauthorizedError as OlderUnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/index.js';
import { approvedParams, REDIRECT_URI } from '../authorized.js';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ connectors: ['notesmcp'] });
});
afterAll(() => sandbox?.stop());

/** Creates an in-memory OAuth provider for the MCP client. It stores the tokens and the authorization URL. */
function createProvider() {
  const stored = new Map<string, unknown>();
  const get = (name: string) => stored.get(name) as never;
  return {
    link: () => String(stored.get('link')),
    provider: {
      redirectUrl: REDIRECT_URI,
      clientMetadata: {
        client_name: 'Battery',
        redirect_uris: [REDIRECT_URI],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      },
      clientInformation: () => get('client'),
      saveClientInformation: (client: unknown) => void stored.set('client', client),
      tokens: () => get('tokens'),
      saveTokens: (tokens: unknown) => void stored.set('tokens', tokens),
      redirectToAuthorization: (url: URL) => void stored.set('link', url.href),
      saveCodeVerifier: (verifier: string) => void stored.set('verifier', verifier),
      codeVerifier: () => get('verifier'),
    },
  };
}

type Provider = ReturnType<typeof createProvider>['provider'];

interface Connecting {
  /** Throws an unauthorized error if a person has to consent first. */
  readonly connect: () => Promise<{
    listTools(): Promise<{ tools: { name: string }[] }>;
    close(): Promise<void>;
  }>;
  readonly finish: (redirected: URLSearchParams) => Promise<void>;
}

const CLIENTS = [
  {
    title: '@modelcontextprotocol/client',
    Unauthorized: UnauthorizedError,
    create(endpoint: URL, authProvider: Provider): Connecting {
      const transport = new StreamableHTTPClientTransport(endpoint, { authProvider });
      const client = new Client({ name: 'battery', version: '1.0.0' });
      return {
        connect: async () => client.connect(transport).then(() => client),
        finish: (redirected) => transport.finishAuth(redirected),
      };
    },
  },
  {
    title: '@modelcontextprotocol/sdk',
    Unauthorized: OlderUnauthorizedError,
    create(endpoint: URL, authProvider: Provider): Connecting {
      const transport = new OlderTransport(endpoint, { authProvider });
      const client = new OlderClient({ name: 'battery', version: '1.0.0' });
      return {
        connect: async () => client.connect(transport as Transport).then(() => client),
        finish: (redirected) => transport.finishAuth(redirected.get('code') ?? ''),
      };
    },
  },
];

test.each(CLIENTS)(
  '$title discovers the authorization server and connects after the consent',
  async ({ create, Unauthorized }) => {
    const { link, provider } = createProvider();
    const endpoint = new URL(`${sandbox.upstream('notesmcp').baseUrl}/mcp`);
    const first = create(endpoint, provider);
    await expect(first.connect()).rejects.toBeInstanceOf(Unauthorized);
    await first.finish(await approvedParams(link(), { user: 'ada' }));

    const client = await create(endpoint, provider).connect();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('list_meetings');
    await client.close();
  },
);
