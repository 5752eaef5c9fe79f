import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from './clock.js';
import { createFaults, type Faults } from './faults.js';
import { createKeys, type KeyCheck, type Keys } from './keys.js';
import { type AuthorizationServer, createAuthorizationServer } from './oauth/authorization-server.js';
import { addConsentRoutes } from './oauth/consent-routes.js';
import type { GrantFile } from './oauth/grant-file.js';
import {
  credentialHash,
  type Recorder,
  recordableBody,
  recordableHeaders,
  recordableQuery,
} from './recorder.js';
import type { Upstream, UpstreamContext, UpstreamHandle } from './upstream.js';

interface MountOptions {
  url: string;
  clock: Clock;
  recorder: Recorder;
  grants: GrantFile;
  hasOwnLimits: boolean;
}

export type MountedUpstream = ReturnType<typeof mountUpstream>;

export function mountUpstream(
  app: FastifyInstance,
  definition: Upstream,
  { url, clock, recorder, grants, hasOwnLimits }: MountOptions,
) {
  const baseUrl = `${url}/${definition.id}`;
  const faults = createFaults({ clock, ownLimit: definition.rateLimit, isLimited: hasOwnLimits });
  const keys = createKeys();
  const { authorizationServer, addRoutes } = prepare(definition, grants, {
    baseUrl,
    clock,
    dials: faults.dials,
    root: app,
  });
  let handle: UpstreamHandle = { reset: () => {} };

  app.register(
    async (scope) => {
      scope.addHook('preHandler', (request, reply) =>
        hinder(definition, { faults, keys }, { request, reply }),
      );
      scope.addHook('onResponse', async (request, reply) =>
        record(definition, { recorder, clock }, { request, reply }),
      );
      handle = addRoutes(scope);
    },
    { prefix: `/${definition.id}` },
  );

  const revokeGrants = () => {
    keys.revoke();
    authorizationServer?.revokeGrants();
  };
  return {
    definition,
    baseUrl,
    authorizationServer,
    faults,
    revokeGrants,
    sendWebhooks: async (trigger: string): Promise<number> => {
      if (handle.sendWebhooks) return handle.sendWebhooks(trigger);
      throw new Error(
        `The sandbox cannot send webhooks of the upstream "${definition.id}". Choose an upstream whose webhooks the sandbox emulates.`,
      );
    },
    reset() {
      handle.reset();
      faults.reset();
      keys.reset();
      authorizationServer?.revokeGrants();
    },
  };
}

interface Prepared {
  readonly authorizationServer: AuthorizationServer | undefined;
  addRoutes(scope: FastifyInstance): UpstreamHandle;
}

function prepare(definition: Upstream, grants: GrantFile, context: UpstreamContext): Prepared {
  if (definition.oauth === undefined) {
    return {
      authorizationServer: undefined,
      addRoutes: (scope) => definition.mount(scope, context),
    };
  }
  const { id, oauth, title } = definition;
  const authorizationServer = createAuthorizationServer(oauth, { ...context, id, grants });
  return {
    authorizationServer,
    addRoutes(scope) {
      addConsentRoutes(scope, authorizationServer, title);
      return definition.mount(scope, { ...context, authorizationServer });
    },
  };
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Sends the failure that a dial or a missing API key causes. Faults from dials take precedence over the key check. */
async function hinder(
  definition: Upstream,
  { faults, keys }: { faults: Faults; keys: Keys },
  { request, reply }: Exchange,
): Promise<FastifyReply | undefined> {
  const { host, path } = locate(definition, request);
  const fault = faults.next({
    method: request.method,
    path,
    isOAuth: isOAuthPath(definition, path),
    caller: request.headers.authorization ?? '',
  });
  const { latencyMs } = faults.dials();
  if (latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, latencyMs));
  if (fault !== undefined) {
    const body = fault.body ?? definition.failure(fault.status, request.id, host);
    return reply.code(fault.status).headers(fault.headers).send(body);
  }
  const check = keyCheckOf(definition, host);
  if (check === undefined || check.isOpen?.(request) || keys.isGood(check, request)) return undefined;
  const { status, headers = {}, body } = check.refuse(request);
  return reply.code(status).headers(headers).send(body);
}

function keyCheckOf({ key, hosts = {} }: Upstream, host: string | undefined): KeyCheck | undefined {
  return (host === undefined ? undefined : hosts[host]?.key) ?? key;
}

function isOAuthPath({ oauth }: Upstream, path: string): boolean {
  if (oauth === undefined) return false;
  if (path.startsWith('/_consent/') || path.startsWith('/.well-known/')) return true;
  return [...Object.values(oauth.paths), oauth.mcp?.issuerPath ?? []]
    .flat()
    .some((own) => path === own || path.startsWith(`${own}/`));
}

function record(
  definition: Upstream,
  { recorder, clock }: { recorder: Recorder; clock: Clock },
  { request, reply }: Exchange,
): void {
  const { searchParams } = new URL(request.url, 'http://sandbox');
  const body = Buffer.isBuffer(request.body) ? request.body : undefined;
  const contentType = request.headers['content-type'];
  const { authorization } = request.headers;
  const arrived = {
    upstream: definition.id,
    method: request.method,
    ...locate(definition, request),
    query: recordableQuery(searchParams),
    headers: recordableHeaders(request.headers, keyHeadersOf(definition)),
    ...(authorization === undefined ? {} : { authorizationHash: credentialHash(authorization) }),
    status: reply.statusCode,
    at: clock.now(),
  };
  recorder.add(arrived, () => recordableBody(body, contentType));
}

function keyHeadersOf({ key, hosts = {} }: Upstream): readonly string[] {
  return [key, ...Object.values(hosts).map((host) => host.key)].flatMap((check) => check?.header ?? []);
}

interface Location {
  /** Name of the emulated service's additional host. Absent for its main host. */
  readonly host?: string;
  readonly path: string;
}

function locate({ id, hosts = {} }: Upstream, { url }: FastifyRequest): Location {
  const path = (url.split('?', 1)[0] ?? '').slice(id.length + 1);
  for (const [host, { path: prefix }] of Object.entries(hosts)) {
    if (path.startsWith(`${prefix}/`)) return { host, path: path.slice(prefix.length) };
  }
  return { path };
}
