import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { Controls } from './controls.js';
import type { FullSandbox } from './full-sandbox.js';
import type { KnownClient, Sandbox, SandboxUpstream } from './sandbox.js';

/** Options of a sandbox. */
export interface SandboxOptions {
  /** Port on 127.0.0.1; 0, the default, takes a free one. */
  port?: number;
  /** Ids of the upstreams to emulate; all by default. */
  connectors?: readonly string[];
  /** Clients that an earlier sandbox registered, and that this one shall know too; looked at when the emulators are loaded. */
  clients?: readonly KnownClient[];
  /** File that keeps grants and tokens, so that accounts outlive a restart. Absent: they end with the sandbox. */
  grantFile?: string;
  /** True if upstreams limit the rate of requests as the real ones do. Default: true. */
  rateLimits?: boolean;
}

// Node's own 5 s would close connections that a caller still counts on after a pause.
const KEEP_ALIVE_MS = 75_000;
export const UPSTREAMS_FILE = 'upstreams.json';

/** Starts the emulated upstreams on one port of this machine. They are loaded with the first request, or the first control. */
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
  // The port is part of every issuer, so it must be known before the authorization servers are made.
  const url = await listen(server, port);
  const ids = chosen.map(({ id }) => id);
  async function load(): Promise<FullSandbox> {
    full ??= import('./full-sandbox.js').then(({ createFullSandbox }) =>
      createFullSandbox({ server, url, ids, clients, grantFile, hasOwnLimits: rateLimits }),
    );
    return full;
  }
  const upstreams = chosen.map((upstream) => placeAt(url, upstream));
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
    throw new Error(`There is no sandbox for "${unknown}". Known: ${all.map(({ id }) => id).join(', ')}.`);
  return connectors === undefined ? all : all.filter(({ id }) => connectors.includes(id));
}

function placeAt(url: string, { hosts, ...upstream }: SandboxUpstream): SandboxUpstream {
  const { authorizationEndpoint, tokenEndpoint, revocationEndpoint } = upstream;
  const places = { authorizationEndpoint, tokenEndpoint, revocationEndpoint };
  const placed = Object.entries(places).flatMap(([name, path]) =>
    path === undefined ? [] : [[name, url + path]],
  );
  return {
    ...upstream,
    baseUrl: url + upstream.baseUrl,
    ...(hosts && {
      hosts: Object.fromEntries(Object.entries(hosts).map(([name, path]) => [name, url + path])),
    }),
    ...Object.fromEntries(placed),
  };
}

function find(upstreams: readonly SandboxUpstream[], id: string): SandboxUpstream {
  const found = upstreams.find((upstream) => upstream.id === id);
  if (found !== undefined) return found;
  throw new Error(
    `The sandbox runs no upstream "${id}". Running: ${upstreams.map((upstream) => upstream.id).join(', ')}.`,
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
        new Error(`Port ${port} of 127.0.0.1 cannot be used: stop what holds it, or choose another.`, {
          cause,
        }),
      );
    });
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      if (address === null || typeof address === 'string')
        return reject(new Error('The server has no port.'));
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
