import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError, errorBody, invalid } from './api-error.js';
import { type Query, readQuery } from './query.js';
import type { World } from './world.js';

/**
 * Endpoint definition. `parameters` lists the supported query parameters, separated by spaces; other parameters are
 * ignored.
 */
export type Endpoint = readonly [
  path: string,
  parameters: string,
  handle: (query: Query, world: World) => Output,
];

export type Output = ItemOutput | ListOutput | Unavailable;

interface ItemOutput {
  readonly element: unknown;
  readonly entityId: string;
  readonly cost?: number;
}

interface ListOutput {
  readonly elements: readonly unknown[];
  readonly pagination: unknown;
  readonly entityId?: string;
  readonly cost?: number;
}

/** A failure that the service reports with status 200. */
interface Unavailable {
  readonly error: string;
}

export function addEndpoint(
  app: FastifyInstance,
  [path, parameters, handle]: Endpoint,
  getWorld: () => World,
): void {
  app.get(path, async (request, reply) => {
    const search = new URL(request.url, 'http://sandbox').searchParams;
    try {
      return envelope(request, handle(readQuery(search), getWorld()), { parameters, search });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return reply.code(error.status).send(errorBody(error));
    }
  });
}

function envelope(
  request: FastifyRequest,
  output: Output,
  { parameters, search }: { parameters: string; search: URLSearchParams },
) {
  const originalQuery = Object.fromEntries(search);
  const isUnderstood = ([name]: [string, string]) => parameters.split(' ').includes(name);
  const failed = 'error' in output;
  return {
    entityId: failed ? null : (output.entityId ?? null),
    requestId: `req_${request.id}`,
    status: failed ? 404 : 200,
    error: null,
    query: Object.fromEntries(Object.entries(originalQuery).filter(isUnderstood)),
    originalQuery,
    liUrl: null,
    user: { membershipTier: 'starter', requestsConcurrency: 5 },
    payments: [],
    cost: failed ? 0 : (output.cost ?? 1),
    ...withoutCost(output),
  };
}

function withoutCost(output: Output) {
  if ('error' in output) return { error: output.error, element: null };
  if ('element' in output) return { element: output.element };
  return { elements: output.elements, pagination: output.pagination };
}

interface TokenOptions {
  readonly of: string;
  /** True if pages after the first require a pagination token. */
  readonly isRequired?: boolean;
}

/** Returns the requested page. A pagination token must belong to the query from which it came. */
export function pageOf(
  items: readonly unknown[],
  query: Query,
  options: { size: number; last?: number; token?: TokenOptions; cost?: number },
): ListOutput {
  const { size, last = 100, token, cost = 1 } = options;
  const given = query.text('paginationToken');
  if (token !== undefined && given !== undefined && given !== tokenOf(token))
    throw invalid('paginationToken does not belong to this query');
  const page = query.page(last);
  if (token?.isRequired && page > 1 && given === undefined)
    throw invalid('paginationToken is required for pages above 1');
  const totalPages = Math.max(1, Math.ceil(items.length / size));
  return {
    elements: items.slice((page - 1) * size, page * size),
    pagination: {
      totalPages: Math.min(totalPages, last),
      totalElements: items.length,
      pageNumber: page,
      previousElements: (page - 1) * size,
      pageSize: size,
      ...(token && { paginationToken: page < totalPages ? tokenOf(token) : null }),
    },
    cost,
  };
}

const tokenOf = ({ of }: TokenOptions): string => Buffer.from(of).toString('base64url');
