import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { type ErrorCode, ServiceError } from './errors.js';
import type { Log } from './log.js';

const CODE_OF_STATUS: Readonly<Record<number, ErrorCode>> = {
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'payload_too_large',
  415: 'invalid_request',
  429: 'rate_limited',
  431: 'headers_too_large',
};

/** Of every answer of ours. A browser that saw the service over https once asks for it in no other way for a year. */
export const answerHeaders = (environmentUrl: string): Readonly<Record<string, string>> => ({
  'x-content-type-options': 'nosniff',
  ...(environmentUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
});

interface SchemaProblem {
  readonly instancePath: string;
  readonly keyword: string;
  readonly message?: string;
  readonly params: Readonly<Record<string, unknown>>;
}

const MAX_QUOTED = 120;

/** What a caller wrote, as far as an answer repeats it. */
const cut = (text: string): string =>
  text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED).toWellFormed()}…` : text;

function describeProblem(problem: SchemaProblem): { field: string; rule: string; message: string } {
  const named = problem.params['additionalProperty'] ?? problem.params['missingProperty'];
  const path = cut(problem.instancePath).split('/').slice(1);
  const field = cut([...path, ...(named === undefined ? [] : [cut(String(named))])].join('.'));
  const message =
    problem.keyword === 'additionalProperties' ? 'is not known here' : (problem.message ?? 'is not valid');
  return { field, rule: problem.keyword, message };
}

function fromSchema(error: FastifyError, problems: readonly SchemaProblem[]): ServiceError {
  const errors = problems.map(describeProblem);
  const place =
    error.validationContext === 'body' ? 'The body' : `The ${error.validationContext ?? 'request'}`;
  const list = errors.map(({ field, message }) => (field ? `"${field}" ${message}` : message)).join('; ');
  return new ServiceError('invalid_request', `${place} is not as expected: ${list}.`, { errors });
}

/** Turns whatever was thrown into an error of ours; what nobody foresaw becomes `internal_error`. */
export function toServiceError(error: FastifyError | ServiceError): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error.validation) return fromSchema(error, error.validation);
  const status = error.statusCode ?? 500;
  if (status < 400 || status >= 500) {
    return new ServiceError(
      'internal_error',
      'The service failed. Give the request id when you report it.',
      undefined,
      {
        cause: error,
      },
    );
  }
  if (error.code === 'FST_ERR_BAD_URL') {
    return new ServiceError('invalid_request', 'The path is not percent-encoded UTF-8.');
  }
  return new ServiceError(CODE_OF_STATUS[status] ?? 'invalid_request', cut(error.message));
}

/** What the header Retry-After says of it. */
export function retryAfterOf(error: ServiceError): string | undefined {
  const seconds = error.details?.['retryAfter'];
  return typeof seconds === 'number' ? String(Math.ceil(seconds)) : undefined;
}

export interface ErrorReplyParts {
  readonly log: Log;
  /** The router refuses some requests before any hook could set those of every answer. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The one place where an error becomes a reply. */
export const errorReply =
  ({ log, headers }: ErrorReplyParts) =>
  (thrown: FastifyError | ServiceError, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const error = toServiceError(thrown);
    if (error.code === 'internal_error') {
      log.fault('unexpected error', error.cause ?? error, {
        requestId: request.id,
        route: request.routeOptions.url ?? '',
      });
    }
    const retryAfter = retryAfterOf(error);
    if (retryAfter) reply.header('retry-after', retryAfter);
    return reply
      .code(error.status)
      .headers({ ...headers, 'svc-request-id': request.id, 'svc-error': error.code })
      .type('application/json; charset=utf-8')
      .send(
        JSON.stringify({
          error: { code: error.code, message: error.message, details: error.details, requestId: request.id },
        }),
      );
  };
