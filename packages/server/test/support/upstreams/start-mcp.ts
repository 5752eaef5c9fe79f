import type { ServerResponse } from 'node:http';
import type { Connector } from '@svc/catalog';
import { onTestFinished } from 'vitest';
import { createBodyMemory } from '../../../src/concurrency/body-memory.js';
import type { Credential } from '../../../src/connections/credential.js';
import type { HandleChallenge } from '../../../src/connections/handle-challenge.js';
import type { ResolvedAccount } from '../../../src/connections/resolved-account.js';
import { createAgent } from '../../../src/http/agent.js';
import { createSend } from '../../../src/http/send-http.js';
import { createMcpSessions, type McpContext } from '../../../src/mcp-client/mcp-sessions.js';
import { createOpenMcp } from '../../../src/mcp-client/open-mcp.js';
import { secret } from '../../../src/secret.js';
import { createBreaker } from '../../../src/upstream/breaker.js';
import { createForward } from '../../../src/upstream/forward.js';
import { createLimiter } from '../../../src/upstream/limiter.js';
import { type McpServerOptions, startMcpServer } from './mcp-server.js';

const connector: Connector = {
  id: 'notes',
  title: 'Notes',
  service: 'Notes',
  description: 'A connector that only this test knows.',
  api: 'Notes MCP server',
  baseUrl: 'https://mcp.notes.example',
  headers: {},
  hosts: {},
  mcp: { path: '/mcp?tools=echo' },
  auth: { type: 'mcp_oauth', scopes: [], inject: { header: 'Authorization', value: 'Bearer {credential}' } },
  errors: [{ status: 429, retry: 'any', advice: 'Wait.' }],
  retry: { attempts: 3, baseMs: 1, capMs: 1 },
  types: {},
  tools: [],
};

export interface McpOptions extends McpServerOptions {
  readonly renewed?: Credential;
  readonly idleMs?: number;
}

/** Starts an MCP server and connects to it as an upstream, through the service's real HTTP client. */
export async function startMcp({ renewed, idleMs, ...options }: McpOptions = {}) {
  const server = await startMcpServer(options);
  const agent = createAgent({ allowedOrigins: [{ connector: connector.id, origin: server.origin }] });
  onTestFinished(() => agent.destroy());
  const versions = new Map<string, number>();
  const credentials = {
    cached: () => undefined,
    notHelped: () => undefined,
    end: async () => undefined,
    current: async ({ id }: ResolvedAccount): Promise<Credential> => {
      const version = versions.get(id) ?? 1;
      return { secret: secret(`${id}-${version}`), version };
    },
    renew: async () => renewed,
  };
  const forward = createForward({
    connectors: new Map([[connector.id, connector]]),
    credentials,
    send: createSend(agent),
    limiter: createLimiter(),
    breaker: createBreaker({ now: () => 0 }),
  });
  const now = () => new Date('2026-11-20T12:00:00Z');
  const demanded: string[] = [];
  const handleChallenge: HandleChallenge = async (_, { header }) => {
    demanded.push(header);
  };
  const version = '1.2.3';
  const openMcp = createOpenMcp(
    createMcpSessions({ forward, credentials, handleChallenge, version, now, idleMs }),
    async () => {},
  );
  const statuses: number[] = [];
  const memory = createBodyMemory(128 * 1024 * 1024);
  const open = (id = 'acct_1', context: Partial<McpContext> = {}) =>
    openMcp({
      account: {
        id,
        applicationId: 'app_1',
        identifier: id,
        connectionId: 'conn_1',
        connectionName: 'notes',
        connector: 'notes',
        baseUrl: server.origin,
        hosts: {},
      },
      connector,
      timeoutMs: 10_000,
      onStatus: (status) => statuses.push(status),
      holding: memory.open('app_1'),
      ...context,
    });
  return { ...server, server, open, versions, statuses, demanded };
}

/** Builds MCP tool content with a text block for each string. */
export const texts = (...contents: string[]) => contents.map((text) => ({ type: 'text', text }));

/** Creates a script with which the MCP server sends this raw HTTP response. */
export const httpResponse =
  (status: number, headers: Readonly<Record<string, string>>, body: string) => () => ({
    write: (response: ServerResponse) => void response.writeHead(status, headers).end(body),
  });
