import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from './clock.js';
import { createFaults, type Faults } from './faults.js';
import { type AuthorizationServer, createAuthorizationServer } from './oauth/authorization-server.js';
import { addConsentRoutes } from './oauth/consent-routes.js';
import { type Recorder, recordableBody, recordableHeaders } from './recorder.js';
import type { Upstream } from './upstream.js';

/** One emulated service at work. */
export interface MountedUpstream {
  readonly definition: Upstream;
  readonly baseUrl: string;
  readonly authorizationServer: AuthorizationServer;
  readonly faults: Faults;
  reset(): void;
}

export interface MountOptions {
  /** The sandbox's own URL. */
  url: string;
  clock: Clock;
  recorder: Recorder;
}

export function mountUpstream(
  app: FastifyInstance,
  definition: Upstream,
  { url, clock, recorder }: MountOptions,
): MountedUpstream {
  const { id } = definition;
  const baseUrl = `${url}/${id}`;
  const faults = createFaults(clock);
  const authorizationServer = createAuthorizationServer(definition.oauth, {
    id,
    baseUrl,
    clock,
    dials: faults.dials,
  });
  let reset = () => {};

  app.register(
    async (scope) => {
      scope.addHook('preHandler', (request, reply) => hinder(definition, faults, { request, reply }));
      scope.addHook('onResponse', async (request, reply) => record(recorder, clock, { id, request, reply }));
      addConsentRoutes(scope, authorizationServer, definition.title);
      const handle = definition.mount(scope, { clock, authorizationServer, dials: faults.dials });
      reset = handle.reset;
    },
    { prefix: `/${id}` },
  );

  return {
    definition,
    baseUrl,
    authorizationServer,
    faults,
    reset() {
      reset();
      faults.reset();
      authorizationServer.revokeGrants();
    },
  };
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

async function hinder(
  definition: Upstream,
  faults: Faults,
  { request, reply }: Exchange,
): Promise<FastifyReply | undefined> {
  const path = ownPath(definition.id, request);
  const fault = faults.next({ method: request.method, path, isOAuth: isOAuthPath(definition, path) });
  const { latencyMs } = faults.dials();
  if (latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, latencyMs));
  if (fault === undefined) return undefined;
  return reply
    .code(fault.status)
    .headers(fault.headers)
    .send(fault.body ?? definition.failure(fault.status, request.id));
}

/** The path of a request as the real service would see it. */
export function ownPath(id: string, request: FastifyRequest): string {
  return (request.url.split('?', 1)[0] ?? '').slice(id.length + 1);
}

function isOAuthPath({ oauth }: Upstream, path: string): boolean {
  if (path.startsWith('/_consent/')) return true;
  return Object.values(oauth.paths).some((own) => path === own || path.startsWith(`${own}/`));
}

interface Finished extends Exchange {
  readonly id: string;
}

function record(recorder: Recorder, clock: Clock, { id, request, reply }: Finished): void {
  const { searchParams } = new URL(request.url, 'http://sandbox');
  const query: Record<string, string | string[]> = {};
  for (const name of new Set(searchParams.keys())) {
    const values = searchParams.getAll(name);
    query[name] = values.length === 1 ? (values[0] ?? '') : values;
  }
  recorder.add({
    upstream: id,
    method: request.method,
    path: ownPath(id, request),
    query,
    headers: recordableHeaders(request.headers),
    body: recordableBody(
      Buffer.isBuffer(request.body) ? request.body : undefined,
      request.headers['content-type'],
    ),
    status: reply.statusCode,
    at: clock.now(),
  });
}
