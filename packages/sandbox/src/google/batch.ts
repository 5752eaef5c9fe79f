import { randomBytes } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest, InjectOptions } from 'fastify';
import { ApiError } from './api-error.js';
import { type InnerAnswer, type InnerRequest, readParts, writeParts } from './batch-parts.js';
import { answerErrors } from './method.js';

interface BatchOptions {
  /** As a route of the upstream: `/batch/calendar/v3`. */
  readonly path: string;
  /** What the paths of all methods begin with: `/calendar/v3`. */
  readonly methods: string;
  /** What the sandbox has in front of all paths of the API: `/calendar`. The requests of a batch may leave it out. */
  readonly base: string;
  errorBody(error: ApiError): object;
}

const MOST_REQUESTS = 1000;
// What a request has of its own.
const NOT_OF_ALL = /^(?:content-.*|host|connection|transfer-encoding)$/;
const ANSWERED = ['content-type', 'etag', 'retry-after', 'www-authenticate'];

const refused = (message: string): ApiError =>
  new ApiError(400, 'badRequest', message, { status: 'INVALID_ARGUMENT' });

function readRequests({ body, headers }: FastifyRequest): readonly InnerRequest[] {
  const requests = Buffer.isBuffer(body) ? readParts(body, headers['content-type'] ?? '') : undefined;
  if (requests === undefined) throw refused('Failed to parse batch request.');
  if (requests.length > MOST_REQUESTS) throw refused(`A batch holds ${MOST_REQUESTS} requests at most.`);
  return requests;
}

/** Where a request goes in the sandbox. A batch holds calls of its own API: no other one, no upload and no further batch. */
function addressOf({ url }: InnerRequest, outer: URL, { base, methods }: BatchOptions): string {
  const { pathname, searchParams } = new URL(url, outer);
  const isWhole = pathname.startsWith(`${base}${methods}/`);
  const path = isWhole ? pathname : base + pathname;
  if (!path.startsWith(`${base}${methods}/`)) return `${base}${methods}/`;
  for (const [name, value] of outer.searchParams)
    if (!searchParams.has(name)) searchParams.append(name, value);
  return searchParams.size === 0 ? path : `${path}?${searchParams}`;
}

/** What a request is by itself: headers and query of the batch are those of each that has no such of its own. */
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

/** The requests of several calls in one. Each is answered as if it had come alone, and counts as one. */
export function addBatch(app: FastifyInstance, options: BatchOptions): void {
  async function answerOne(outer: FastifyRequest, inner: InnerRequest): Promise<InnerAnswer> {
    const { statusCode, headers, rawPayload } = await app.inject(standingAlone(outer, inner, options));
    const kept = ANSWERED.filter((name) => headers[name] !== undefined).map((name) => [
      name,
      String(headers[name]),
    ]);
    return {
      contentId: inner.contentId,
      status: statusCode,
      reason: STATUS_CODES[statusCode] ?? '',
      headers: { ...Object.fromEntries(kept), 'content-length': String(rawPayload.length) },
      body: rawPayload,
    };
  }

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const answers: InnerAnswer[] = [];
    for (const one of readRequests(request)) answers.push(await answerOne(request, one));
    const boundary = `batch_${randomBytes(16).toString('base64url')}`;
    return reply.type(`multipart/mixed; boundary=${boundary}`).send(writeParts(answers, boundary));
  }

  app.post(options.path, (request, reply) => answerErrors(reply, options, () => answer(request, reply)));
}
