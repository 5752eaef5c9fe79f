import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { Controls } from './controls.js';
import type { FullSandbox } from './full-sandbox.js';
import type { KnownClient, Sandbox, SandboxUpstream } from './sandbox.js';

/** Options for starting a sandbox. */
export interface SandboxOptions {
  /** Port on 127.0.0.1. Default: 0, which selects a free port. */
  port?: number;
  /** Ids of the services to emulate. Default: all. */
  connectors?: readonly string[];
  /** OAuth clients that an earlier sandbox registered. The sandbox reads them when it loads the emulators. */
  clients?: readonly KnownClient[];
  /**
   * File that stores grants and tokens, so that connected accounts survive a restart. Default: grants are lost when the
   * sandbox stops.
   */
  grantFile?: string;
  /** True if the emulated services enforce the rate limits of the real services. Default: true. */
  rateLimits?: boolean;
}

// Keep-alive timeout. The 5 s default of Node.js would close a connection that a client reuses after a pause.
const KEEP_ALIVE_MS = 75_000;
export const UPSTREAMS_FILE = 'upstreams.json';

/** Starts the emulated services on one port of 127.0.0.1. The first request or control call loads the emulators. */
export async function startSandbox({
  port = 0,
  connectors,
  clients = [],
  grantFile,
  rateLimits = true,
}: SandboxOptions = {}): Promise<Sandbox> {
  const chosen = choose(connectors);
  let full: Promise<FullSandbox> | undefined;
  const server = createServer((request, response) => {
    load().then(
      ({ listener }) => listener(request, response),
      () => response.writeHead(500).end(),
    );
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  // The server must listen before the authorization servers exist, because each issuer URL contains the port.
  const url = await listen(server, port);
  const ids = chosen.map(({ id }) => id);
  async function load(): Promise<FullSandbox> {
    full ??= import('./full-sandbox.js').then(({ createFullSandbox }) =>
      createFullSandbox({ server, url, ids, clients, grantFile, hasOwnLimits: rateLimits }),
    );
    return full;
  }
  const upstreams = chosen.map((upstream) => addOrigin(url, upstream));
  return {
    url,
    upstreams,
    upstream: (id) => find(upstreams, id),
    ...laterControls(async () => (await load()).controls),
    stop: () => close(server, full),
  };
}

function readUpstreams(): readonly SandboxUpstream[] {
  return JSON.parse(readFileSync(new URL(`../dist/${UPSTREAMS_FILE}`, import.meta.url), 'utf8'));
}

function choose(connectors: readonly string[] | undefined): readonly SandboxUpstream[] {
  const all = readUpstreams();
  const unknown = connectors?.find((id) => !all.some((upstream) => upstream.id === id));
  if (unknown !== undefined)
    throw new Error(
      `The sandbox does not emulate the connector "${unknown}". Use one of: ${all.map(({ id }) => id).join(', ')}.`,
    );
  return connectors === undefined ? all : all.filter(({ id }) => connectors.includes(id));
}

function addOrigin(url: string, { hosts, ...upstream }: SandboxUpstream): SandboxUpstream {
  const { authorizationEndpoint, tokenEndpoint, revocationEndpoint } = upstream;
  const paths = { authorizationEndpoint, tokenEndpoint, revocationEndpoint };
  const urls = Object.entries(paths).flatMap(([name, path]) =>
    path === undefined ? [] : [[name, url + path]],
  );
  return {
    ...upstream,
    baseUrl: url + upstream.baseUrl,
    ...(hosts && {
      hosts: Object.fromEntries(Object.entries(hosts).map(([name, path]) => [name, url + path])),
    }),
    ...Object.fromEntries(urls),
  };
}

function find(upstreams: readonly SandboxUpstream[], id: string): SandboxUpstream {
  const match = upstreams.find((upstream) => upstream.id === id);
  if (match !== undefined) return match;
  throw new Error(
    `The sandbox does not run the upstream "${id}". Use one of: ${upstreams.map((upstream) => upstream.id).join(', ')}.`,
  );
}

function laterControls(
  controls: () => Promise<Controls>,
): Omit<Sandbox, 'url' | 'upstreams' | 'upstream' | 'stop'> {
  return {
    registerClient: async (id, client) => (await controls()).registerClient(id, client),
    dials: async (id, changes) => (await controls()).dials(id, changes),
    expireTokens: async (id) => (await controls()).expireTokens(id),
    revokeGrants: async (id) => (await controls()).revokeGrants(id),
    sendWebhooks: async (id, trigger) => (await controls()).sendWebhooks(id, trigger),
    clock: {
      now: async () => (await controls()).clock.now(),
      advance: async (ms) => (await controls()).clock.advance(ms),
      reset: async () => (await controls()).clock.reset(),
    },
    requests: async (id) => (await controls()).requests(id),
    clearRequests: async () => (await controls()).clearRequests(),
    reset: async () => (await controls()).reset(),
  };
}

function listen(server: Server, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      reject(
        new Error(
          `The sandbox cannot use port ${port} of 127.0.0.1. Stop the process that uses this port, or choose another port.`,
          {
            cause,
          },
        ),
      );
    });
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      if (address === null || typeof address === 'string')
        return reject(new Error('The sandbox did not get a port. Start the sandbox again.'));
      resolve(`http://127.0.0.1:${address.port}`);
    });
  });
}

async function close(server: Server, full: Promise<FullSandbox> | undefined): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  await (await full)?.close();
  await closed;
}
