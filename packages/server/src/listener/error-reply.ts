import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { type ErrorCode, ServiceError } from '../errors.js';
import type { Log } from '../log/log.js';
import { wordsOfPattern } from '../text/text-forms.js';

const CODE_OF_STATUS: Readonly<Record<number, ErrorCode>> = {
  404: 'not_found',
  405: 'method_not_allowed',
  429: 'rate_limited',
  431: 'headers_too_large',
};

// Most command-line clients say that a body is a form unless they are told.
const WRONG_TYPE =
  'The body is of another type than this takes: send "Content-Type: application/json", and to POST /oauth/token application/x-www-form-urlencoded.';

export const wrongType = (): ServiceError => new ServiceError('invalid_request', WRONG_TYPE);

/** Of every answer of ours. A browser that saw the service over https once asks for it in no other way for a year. */
export const answerHeaders = (environmentUrl: string): Readonly<Record<string, string>> => ({
  'x-content-type-options': 'nosniff',
  ...(environmentUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
});

export interface SchemaProblem {
  readonly instancePath: string;
  readonly keyword: string;
  readonly message?: string;
  readonly params: Readonly<Record<string, unknown>>;
}

const MAX_QUOTED = 120;

/** What a caller wrote, as far as an answer repeats it. */
const cut = (text: string): string =>
  text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED).toWellFormed()}…` : text;

/** In place of the validator's words, which name the property once more. */
const PROBLEMS: Readonly<Record<string, string>> = {
  additionalProperties: 'is not known here',
  required: 'is missing',
};

function describeProblem(problem: SchemaProblem): { field: string; rule: string; message: string } {
  const named = problem.params['additionalProperty'] ?? problem.params['missingProperty'];
  const path = cut(problem.instancePath).split('/').slice(1);
  const field = cut([...path, ...(named === undefined ? [] : [cut(String(named))])].join('.'));
  const message =
    PROBLEMS[problem.keyword] ??
    wordsOfPattern(problem.params['pattern']) ??
    problem.message ??
    'is not valid';
  return { field, rule: problem.keyword, message };
}

/** What is wrong with a part of a request, such as its body. */
export function fromProblems(part: string, problems: readonly SchemaProblem[]): ServiceError {
  const errors = problems.map(describeProblem);
  const place = part === 'body' ? 'The body' : `The ${part}`;
  const list = errors.map(({ field, message }) => (field ? `"${field}" ${message}` : message)).join('; ');
  return new ServiceError('invalid_request', `${place} is not as expected: ${list}.`, { errors });
}

/** What nobody foresaw. */
const unforeseen = (cause: unknown): ServiceError =>
  new ServiceError(
    'internal_error',
    'The service failed. Give the request id when you report it.',
    undefined,
    { cause },
  );

/** Of a body that calls a tool, the tool is named that takes no more. */
export const tooLarge = (mostBytes: number, toolName?: string): ServiceError =>
  new ServiceError(
    'payload_too_large',
    `The body is larger than ${mostBytes} bytes${toolName === undefined ? '' : `, the most for a call of "${toolName}"`}.`,
  );

/** What was thrown, when it is of ours already. */
export const toOwnError = (thrown: unknown): ServiceError =>
  thrown instanceof ServiceError ? thrown : unforeseen(thrown);

/** Turns whatever the framework threw into an error of ours; what nobody foresaw becomes `internal_error`. */
export function toServiceError(
  error: FastifyError | ServiceError,
  { routeOptions }: Pick<FastifyRequest, 'routeOptions'>,
): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error.validation) return fromProblems(error.validationContext ?? 'request', error.validation);
  const status = error.statusCode ?? 500;
  if (status < 400 || status >= 500) return unforeseen(error);
  if (status === 413) return tooLarge(routeOptions.bodyLimit);
  if (status === 415) return wrongType();
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

/** What the header Allow says of it. */
function allowOf({ details }: ServiceError): string | undefined {
  const methods = details?.['allow'];
  return Array.isArray(methods) ? methods.join(', ') : undefined;
}

export interface ErrorReplyParts {
  readonly log: Log;
  /** The router refuses some requests before any hook could set those of every answer. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What was asked for, as far as the log tells of it. */
interface Asked {
  readonly requestId: string;
  readonly route: string;
}

export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The one place where an error becomes an answer. */
export const createErrorAnswer =
  ({ log, headers }: ErrorReplyParts) =>
  (error: ServiceError, { requestId, route }: Asked): ErrorAnswer => {
    if (error.code === 'internal_error') {
      log.fault('unexpected error', error.cause ?? error, { requestId, route });
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

/** The same for what goes by the framework. */
export function errorReply(parts: ErrorReplyParts) {
  const answer = createErrorAnswer(parts);
  return (
    thrown: FastifyError | ServiceError,
    request: FastifyRequest,
    reply: FastifyReply,
  ): FastifyReply => {
    const asked = { requestId: request.id, route: request.routeOptions.url ?? '' };
    const { status, headers, body } = answer(toServiceError(thrown, request), asked);
    return reply.code(status).headers(headers).send(body);
  };
}
