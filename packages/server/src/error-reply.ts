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

/** Of every answer of ours. The router refuses some requests before any hook could set them. */
export const ANSWER_HEADERS = { 'x-content-type-options': 'nosniff' } as const;

interface SchemaProblem {
  readonly instancePath: string;
  readonly keyword: string;
  readonly message?: string;
  readonly params: Readonly<Record<string, unknown>>;
}

function describeProblem(problem: SchemaProblem): { field: string; rule: string; message: string } {
  const named = problem.params['additionalProperty'] ?? problem.params['missingProperty'];
  const field = [...problem.instancePath.split('/').slice(1), ...(named === undefined ? [] : [named])].join(
    '.',
  );
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
  return new ServiceError(CODE_OF_STATUS[status] ?? 'invalid_request', error.message);
}

/** What the header Retry-After says of it. */
export function retryAfterOf(error: ServiceError): string | undefined {
  const seconds = error.details?.['retryAfter'];
  return typeof seconds === 'number' ? String(Math.ceil(seconds)) : undefined;
}

/** The one place where an error becomes a reply. */
export const errorReply =
  (log: Log) =>
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
      .headers({ ...ANSWER_HEADERS, 'svc-request-id': request.id, 'svc-error': error.code })
      .type('application/json; charset=utf-8')
      .send(
        JSON.stringify({
          error: { code: error.code, message: error.message, details: error.details, requestId: request.id },
        }),
      );
  };
