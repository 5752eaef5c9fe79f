import { randomBytes } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest, InjectOptions } from 'fastify';
import { ApiError } from './api-error.js';
import { type InnerRequest, type InnerResponse, readParts, writeParts } from './batch-parts.js';
import { handleErrors } from './method.js';

interface BatchOptions {
  /** Path of the batch endpoint at the emulated service, such as `/batch/calendar/v3`. */
  readonly path: string;
  /** Common prefix of the paths of all API methods, such as `/calendar/v3`. */
  readonly methods: string;
  /** Path prefix of the emulated service in the sandbox, such as `/calendar`. Requests inside a batch may omit it. */
  readonly base: string;
  errorBody(error: ApiError): object;
}

const MOST_REQUESTS = 1000;
// Headers of the batch request that its inner requests do not inherit.
const NOT_OF_ALL = /^(?:content-.*|host|connection|transfer-encoding)$/;
const RESPONSE_HEADERS = ['content-type', 'etag', 'retry-after', 'www-authenticate'];

const refused = (message: string): ApiError =>
  new ApiError(400, 'badRequest', message, { status: 'INVALID_ARGUMENT' });

function readRequests({ body, headers }: FastifyRequest): readonly InnerRequest[] {
  const requests = Buffer.isBuffer(body) ? readParts(body, headers['content-type'] ?? '') : undefined;
  if (requests === undefined) throw refused('Failed to parse batch request.');
  if (requests.length > MOST_REQUESTS) throw refused(`A batch has at most ${MOST_REQUESTS} requests.`);
  return requests;
}

/**
 * Returns the sandbox path of a request inside a batch. A batch can call only its own API. Other APIs, uploads and
 * nested batches get an unknown path, so they fail with 404.
 */
function addressOf({ url }: InnerRequest, outer: URL, { base, methods }: BatchOptions): string {
  const { pathname, searchParams } = new URL(url, outer);
  const isWhole = pathname.startsWith(`${base}${methods}/`);
  const path = isWhole ? pathname : base + pathname;
  if (!path.startsWith(`${base}${methods}/`)) return `${base}${methods}/`;
  for (const [name, value] of outer.searchParams)
    if (!searchParams.has(name)) searchParams.append(name, value);
  return searchParams.size === 0 ? path : `${path}?${searchParams}`;
}

/**
 * Builds a request of its own for one batch part. Headers and query parameters that the part does not set come from the
 * batch.
 */
function standingAlone(outer: FastifyRequest, inner: InnerRequest, options: BatchOptions): InjectOptions {
  const { host: _, ...own } = inner.headers;
  const ofAll = Object.entries(outer.headers).filter(([name]) => !NOT_OF_ALL.test(name));
  return {
    method: inner.method as NonNullable<InjectOptions['method']>,
    url: addressOf(inner, new URL(outer.url, 'http://sandbox'), options),
    headers: { ...Object.fromEntries(ofAll), ...own, 'content-length': `${inner.body.length}` },
    ...(inner.body.length > 0 && { payload: inner.body }),
  };
}

/** Adds the batch endpoint. Each request of a batch runs like a separate request, and counts as one for rate limits. */
export function addBatch(app: FastifyInstance, options: BatchOptions): void {
  async function runRequest(outer: FastifyRequest, inner: InnerRequest): Promise<InnerResponse> {
    const { statusCode, headers, rawPayload } = await app.inject(standingAlone(outer, inner, options));
    const copied = RESPONSE_HEADERS.filter((name) => headers[name] !== undefined).map((name) => [
      name,
      String(headers[name]),
    ]);
    return {
      contentId: inner.contentId,
      status: statusCode,
      reason: STATUS_CODES[statusCode] ?? '',
      headers: { ...Object.fromEntries(copied), 'content-length': String(rawPayload.length) },
      body: rawPayload,
    };
  }

  async function respond(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const responses: InnerResponse[] = [];
    for (const one of readRequests(request)) responses.push(await runRequest(request, one));
    const boundary = `batch_${randomBytes(16).toString('base64url')}`;
    return reply.type(`multipart/mixed; boundary=${boundary}`).send(writeParts(responses, boundary));
  }

  app.post(options.path, (request, reply) => handleErrors(reply, options, () => respond(request, reply)));
}
