import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { isObject, parseJson } from '../../../json.js';
import { existing, Refusal } from '../../../refusal.js';
import type { Account } from '../runs.js';
import type { Storages } from './storages.js';

export interface Owned {
  readonly account: Account;
  readonly storages: Storages;
}

export class RestError extends Refusal {}

export const restFailure = (type: string, message: string) => ({ error: { type, message } });

const notFound = (what: string): RestError => new RestError(404, 'record-not-found', `${what} was not found`);

export const orNotFound = <Value>(value: Value | undefined, what: string): Value =>
  existing(value, () => notFound(what));

export const invalid = (message: string): RestError => new RestError(400, 'invalid-value', message);

export type Endpoint = readonly [verb: HTTPMethods, path: string, handle: (call: RestCall) => unknown];

interface Adding {
  readonly prefix: string;
  owned(request: FastifyRequest): Owned;
}

const VERBS: HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

const INFLATE: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: (bytes) => gunzipSync(bytes),
  br: (bytes) => brotliDecompressSync(bytes),
};

function readBytes({ body, headers }: FastifyRequest): Buffer {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  return INFLATE[headers['content-encoding'] ?? '']?.(bytes) ?? bytes;
}

export type RestCall = ReturnType<typeof readCall>;

function readCall(request: FastifyRequest, reply: FastifyReply, owned: Owned) {
  const bytes = readBytes(request);
  return {
    ...owned,
    reply,
    query: new URL(request.url, 'http://sandbox').searchParams,
    contentType: request.headers['content-type'] ?? 'application/octet-stream',
    bytes,
    part: (name: string) => (isObject(request.params) ? String(request.params[name] ?? '') : ''),
    json(): unknown {
      if (bytes.length === 0) return undefined;
      const parsed = parseJson(bytes.toString('utf8'));
      if (parsed === undefined) throw invalid('The body is not valid JSON.');
      return parsed;
    },
  };
}

/**
 * Returns the HTTP verb of a request. The query parameter `method` overrides it, for clients that can only send GET or
 * POST.
 */
function verbOf({ method, url }: FastifyRequest): string {
  const verb = new URL(url, 'http://sandbox').searchParams.get('method') ?? method;
  return verb === 'HEAD' ? 'GET' : verb;
}

export const notEmulated = (reply: FastifyReply): FastifyReply =>
  reply.code(501).send(restFailure('not-implemented', 'The sandbox does not emulate this method.'));

export function addEndpoints(app: FastifyInstance, endpoints: readonly Endpoint[], adding: Adding): void {
  for (const [path, there] of Map.groupBy(endpoints, ([, each]) => each))
    app.route({
      method: VERBS,
      url: `${adding.prefix}/v2${path}`,
      handler: async (request, reply) => {
        const [, , handle] = there.find(([verb]) => verb === verbOf(request)) ?? [];
        if (handle === undefined) return notEmulated(reply);
        try {
          const result = await handle(readCall(request, reply, adding.owned(request)));
          return result === undefined ? reply.send() : reply.send(result);
        } catch (error) {
          if (!(error instanceof RestError)) throw error;
          return reply.code(error.status).send(restFailure(error.code, error.message));
        }
      },
    });
}

const MOST_LISTED = 1000;

export function readCount({ query }: Pick<RestCall, 'query'>, name: string, fallback: number): number {
  const text = query.get(name);
  if (text === null) return fallback;
  if (!/^\d{1,9}$/.test(text)) throw invalid(`Parameter ${name} has to be a whole number.`);
  return Number(text);
}

export const readFlag = ({ query }: Pick<RestCall, 'query'>, name: string): boolean =>
  ['1', 'true'].includes(query.get(name) ?? '');

export function listPage<Item>(call: RestCall, items: readonly Item[], present: (item: Item) => unknown) {
  const [offset, limit] = [readCount(call, 'offset', 0), readCount(call, 'limit', MOST_LISTED)];
  const desc = readFlag(call, 'desc');
  const page = (desc ? items.toReversed() : items).slice(offset, offset + Math.min(limit, MOST_LISTED));
  return {
    data: { total: items.length, count: page.length, offset, limit, desc, items: page.map(present) },
  };
}
