import type { Clock } from './clock.js';
import type { MountedUpstream } from './mount.js';
import type { AuthorizationServer } from './oauth/authorization-server.js';
import type { Recorder } from './recorder.js';
import type { KnownClient, Sandbox, SandboxUpstream } from './sandbox.js';
import type { Upstream } from './upstream.js';

interface ControlOptions {
  url: string;
  mounted: readonly MountedUpstream[];
  clock: Clock;
  recorder: Recorder;
}

/** Controls of a running sandbox: everything that a test can do, except stop the server. */
export interface Controls extends Omit<Sandbox, 'stop'> {
  /** Adds a client that an earlier sandbox registered, with its existing id and secret. */
  knowClient(client: KnownClient): Promise<void>;
}

export function createControls({ url, mounted, clock, recorder }: ControlOptions): Controls {
  const upstreams = mounted.map(({ definition, baseUrl }) => describe(definition, baseUrl));
  const byId = (id: string) => find(mounted, id, ({ definition }) => definition.id);
  return {
    url,
    upstreams,
    upstream: (id) => find(upstreams, id, (upstream) => upstream.id),
    registerClient: async (id, { redirectUris, name }) =>
      authorizationServerOf(byId(id)).registerClient(redirectUris, name),
    knowClient: ({ id, redirectUris, ...client }) =>
      authorizationServerOf(byId(id)).knowClient(client, redirectUris),
    dials: async (id, changes = {}) => byId(id).faults.setDials(changes),
    expireTokens: async (id) => authorizationServerOf(byId(id)).expireTokens(),
    revokeGrants: async (id) => byId(id).revokeGrants(),
    sendWebhooks: async (id, trigger) => byId(id).sendWebhooks(trigger),
    clock: {
      now: async () => clock.now(),
      async advance(ms) {
        clock.advance(ms);
        return clock.now();
      },
      reset: async () => clock.reset(),
    },
    requests: async (id) => recorder.list(id),
    clearRequests: async () => recorder.clear(),
    async reset() {
      clock.reset();
      for (const upstream of mounted) upstream.reset();
      recorder.clear();
    },
  };
}

function find<Item>(items: readonly Item[], id: string, idOf: (item: Item) => string): Item {
  const match = items.find((item) => idOf(item) === id);
  if (match !== undefined) return match;
  throw new Error(
    `The sandbox does not run the upstream "${id}". Use one of: ${items.map(idOf).join(', ')}.`,
  );
}

function authorizationServerOf({ definition, authorizationServer }: MountedUpstream): AuthorizationServer {
  if (authorizationServer !== undefined) return authorizationServer;
  throw new Error(
    `The upstream "${definition.id}" uses keys and has no OAuth clients or tokens. Use any key that begins with "sandbox-".`,
  );
}

export function describe(definition: Upstream, baseUrl: string): SandboxUpstream {
  const { id, title, hosts, oauth } = definition;
  const addresses = {
    id,
    title,
    baseUrl,
    ...(hosts && {
      hosts: Object.fromEntries(Object.entries(hosts).map(([name, { path }]) => [name, baseUrl + path])),
    }),
  };
  if (oauth === undefined) return { ...addresses, scopes: [] };
  return {
    ...addresses,
    authorizationEndpoint: baseUrl + oauth.paths.authorization,
    tokenEndpoint: baseUrl + oauth.paths.token,
    ...(oauth.paths.revocation && { revocationEndpoint: baseUrl + oauth.paths.revocation }),
    scopes: oauth.rights === undefined ? Object.keys(oauth.scopes) : [],
  };
}
