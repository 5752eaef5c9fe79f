import { type BrokenRule, cutText } from '@svc/catalog';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { asServiceError, type ErrorCode, ServiceError } from '../errors.js';
import type { Log } from '../log/log.js';
import { subjectOf } from './explain-problems.js';

const CODE_OF_STATUS: Readonly<Record<number, ErrorCode>> = {
  404: 'not_found',
  405: 'method_not_allowed',
  429: 'rate_limited',
  431: 'headers_too_large',
};

// Message for a wrong Content-Type. It names the accepted types, because most command-line clients send forms by
// default.
const WRONG_TYPE =
  'This Content-Type is not supported. Send application/json, or for POST /oauth/token application/x-www-form-urlencoded.';

export const wrongType = (): ServiceError => new ServiceError('invalid_request', WRONG_TYPE);

/** Returns the headers of every response. On https they include HSTS: browsers then use only https for a year. */
export const serviceHeaders = (
  environmentUrl: string,
  version: string,
): Readonly<Record<string, string>> => ({
  'x-content-type-options': 'nosniff',
  'svc-version': version,
  ...(environmentUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
});

/** Maximum number of characters of a message of Fastify, which may quote the caller. */
const MAX_QUOTED = 120;

/** Creates the error for a part of a request, such as its body, that does not match its schema. */
export function fromRules(part: string, rules: readonly BrokenRule[]): ServiceError {
  const list = rules.map(({ message }) => message).join('; ');
  const end = list.endsWith('?') ? '' : '.';
  const subject = subjectOf(part);
  return new ServiceError('invalid_request', `T${subject.slice(1)} is invalid: ${list}${end}`, {
    errors: rules,
  });
}

/** Creates the error for a request body that is too large. It names the tool when the body calls one. */
export const tooLarge = (mostBytes: number, toolName?: string): ServiceError =>
  new ServiceError(
    'payload_too_large',
    `The body is larger than the maximum of ${mostBytes} bytes${toolName === undefined ? '' : ` for a call of "${toolName}"`}. Send less data.`,
  );

/** Converts an error of Fastify to a ServiceError. An unexpected error becomes `internal_error`. */
export function fromFastifyError(
  error: FastifyError | ServiceError,
  { routeOptions }: Pick<FastifyRequest, 'routeOptions'>,
): ServiceError {
  if (error instanceof ServiceError) return error;
  // The cast is safe, because the request checks of this service report broken rules instead of problems of ajv.
  if (error.validation)
    return fromRules(error.validationContext ?? 'request', error.validation as unknown as BrokenRule[]);
  const status = error.statusCode ?? 500;
  if (status < 400 || status >= 500) return asServiceError(error);
  if (status === 413) return tooLarge(routeOptions.bodyLimit);
  if (status === 415) return wrongType();
  if (error.code === 'FST_ERR_BAD_URL') {
    return new ServiceError('invalid_request', 'The path is not percent-encoded UTF-8. Encode it and retry.');
  }
  return new ServiceError(CODE_OF_STATUS[status] ?? 'invalid_request', cutText(error.message, MAX_QUOTED));
}

/** Returns the value of the Retry-After header for an error; `undefined` when the error has none. */
export function retryAfterOf(error: ServiceError): string | undefined {
  const seconds = error.details?.['retryAfter'];
  return typeof seconds === 'number' ? String(Math.ceil(seconds)) : undefined;
}

/** Returns the value of the Allow header for an error; `undefined` when the error has none. */
function allowOf({ details }: ServiceError): string | undefined {
  const methods = details?.['allow'];
  return Array.isArray(methods) ? methods.join(', ') : undefined;
}

export interface ErrorResponseOptions {
  readonly log: Log;
  /**
   * Headers of every response. The server sets them when a request arrives, because the router refuses some requests
   * before any hook runs.
   */
  readonly headers: Readonly<Record<string, string>>;
}

/** Request id and route of a failed request, for its log line. */
interface FailedRequest {
  readonly requestId: string;
  readonly route: string;
}

export interface ErrorResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Creates the function that converts an error to a response, and logs unexpected errors. */
export function createErrorResponse({ log, headers }: ErrorResponseOptions) {
  return function errorResponse(error: ServiceError, { requestId, route }: FailedRequest): ErrorResponse {
    if (error.code === 'internal_error') {
      log.fault(
        'a request failed with an unexpected error; report this line to the developers of the service',
        error.cause ?? error,
        { requestId, route },
      );
    }
    const { code, message, details } = error;
    const retryAfter = retryAfterOf(error);
    const allow = allowOf(error);
    return {
      status: error.status,
      headers: {
        ...headers,
        ...(retryAfter && { 'retry-after': retryAfter }),
        ...(allow && { allow }),
        'content-type': 'application/json; charset=utf-8',
        'svc-request-id': requestId,
        'svc-error': code,
      },
      body: JSON.stringify({ error: { code, message, details, requestId } }),
    };
  };
}

/** Creates the error handler that Fastify calls for each error of a route or hook. */
export function createErrorReply({ log, headers: common }: ErrorResponseOptions) {
  const errorResponse = createErrorResponse({ log, headers: common });
  return function replyError(
    thrown: FastifyError | ServiceError,
    request: FastifyRequest,
    reply: FastifyReply,
  ): FastifyReply {
    const failed = { requestId: request.id, route: request.routeOptions.url ?? '' };
    const error = fromFastifyError(thrown, request);
    request.failure = error;
    const { status, headers, body } = errorResponse(error, failed);
    return reply.code(status).headers(headers).send(body);
  };
}
