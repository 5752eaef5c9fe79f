import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify';
import { isObject, parseJson } from '../../json.js';
import type { UpstreamContext } from '../../upstream.js';
import { ApiError, errorBody, malformed, unauthorized } from './api-error.js';
import { readParameters } from './parameters.js';
import type { RateLimiter } from './rate-limit.js';
import { type RegionPath, regionOf } from './regions.js';
import type { Organization } from './seed.js';

export interface Outcome {
  readonly status: 200 | 201 | 204;
  readonly body?: unknown;
}

export const ok = (body: unknown): Outcome => ({ status: 200, body });
export const created = (body: unknown): Outcome => ({ status: 201, body });
export const nothing: Outcome = { status: 204 };

export interface Endpoint {
  readonly verb: HTTPMethods;
  readonly path: string;
  readonly perMinute?: number;
  handle(call: Call): Outcome | Promise<Outcome>;
}

export interface Surroundings {
  readonly context: UpstreamContext;
  readonly limiter: RateLimiter;
  organizationOf(key: string): Organization;
}

const PER_MINUTE = 120;

export function addEndpoint(app: FastifyInstance, endpoint: Endpoint, at: RegionPath & Surroundings): void {
  app.route({
    method: endpoint.verb,
    url: at.prefix + endpoint.path,
    handler: async (request, reply) => {
      try {
        const { status, body } = await endpoint.handle(readCall(request, endpoint, at));
        return reply.code(status).send(body);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        return reply.code(error.status).send(errorBody(error));
      }
    },
  });
}

export type Call = ReturnType<typeof readCall>;

function readCall(request: FastifyRequest, endpoint: Endpoint, at: RegionPath & Surroundings) {
  const { context, limiter, region } = at;
  const key = request.headers.authorization?.split(' ')[1] ?? '';
  if (regionOf(key) !== region) throw unauthorized();
  limit(limiter, { key, endpoint, dial: context.dials().quotaPerMinute });
  const now = context.clock.now();
  const bytes = Buffer.isBuffer(request.body) ? request.body : undefined;
  return {
    organization: at.organizationOf(key),
    now,
    clock: context.clock,
    parameters: readParameters(new URL(request.url, 'http://sandbox').searchParams, now),
    contentType: request.headers['content-type'] ?? '',
    bytes,
    id: isObject(request.params) ? String(request.params['id'] ?? '') : '',
    json: () => readJson(bytes),
  };
}

interface Counted {
  readonly key: string;
  readonly endpoint: Endpoint;
  /** Rate limit per minute from a dial. A dial can lower the service's limit, or remove it with null. */
  readonly dial: number | null;
}

function limit(limiter: RateLimiter, { key, endpoint, dial }: Counted): void {
  if (dial === null) return;
  const { verb, path, perMinute = PER_MINUTE } = endpoint;
  limiter.count(key, `${verb} ${path}`, Math.min(perMinute, dial));
}

function readJson(bytes: Buffer | undefined): Readonly<Record<string, unknown>> {
  const parsed = parseJson(bytes?.toString('utf8') ?? '');
  if (!isObject(parsed)) throw malformed('The body is not a JSON object.');
  return parsed;
}
