import type { Call, SendOptions, ServiceResponse } from './call.js';
import { type Failure, type ServiceError, toServiceError } from './errors.js';

/** Content of a response. */
interface ResponseBody {
  /** Parsed JSON, text, or a Blob. */
  readonly data: unknown;
  /** True if a body declared as JSON is valid JSON. An empty body is valid and has no data. */
  readonly isValid: boolean;
}

/**
 * Reads a response: JSON is parsed, text is a string, anything else a Blob. The service itself only sends JSON. Throws a
 * `ServiceError` for an error response and for an invalid body.
 */
export async function readResponse(
  response: Response,
  { isProxied = false }: Call,
  { stream, idempotencyKey }: SendOptions,
): Promise<ServiceResponse> {
  const { status, headers } = response;
  // A redirect of an upstream is handed to the caller.
  const isSuccess = status < (isProxied ? 400 : 300);
  if (isSuccess && stream) return response;
  const { data, isValid } = await readBody(response, { isProxied, isSuccess });
  if (isSuccess && isValid) return { status, headers, data, requestId: headers.get('svc-request-id') ?? '' };
  throw toError(response, data, { isFromUpstream: isProxied && !isSuccess, idempotencyKey });
}

interface ReadOptions {
  readonly isProxied: boolean;
  readonly isSuccess: boolean;
}

async function readBody(response: Response, { isProxied, isSuccess }: ReadOptions): Promise<ResponseBody> {
  const type = response.headers.get('content-type') ?? '';
  const isJson = !isProxied || /[/+]json(;|$)/.test(type);
  if (isJson) return parseJson(await response.text());
  // An error body is text whatever its type, so that it can be shown.
  const isText = !isSuccess || /^text/.test(type);
  return { data: isText ? await response.text() : await response.blob(), isValid: true };
}

function parseJson(text: string): ResponseBody {
  try {
    return { data: text ? JSON.parse(text) : undefined, isValid: true };
  } catch {
    return { data: undefined, isValid: false };
  }
}

/** The body of an error of the service. */
interface ErrorBody {
  error: Partial<Omit<Failure, 'details'>> & { details?: { status?: unknown; body?: unknown } };
}

interface ErrorOptions {
  /** True if an error without the service's mark may come from the upstream. */
  readonly isFromUpstream: boolean;
  readonly idempotencyKey: string | undefined;
}

function toError({ status, headers }: Response, data: unknown, options: ErrorOptions): ServiceError {
  const { isFromUpstream, idempotencyKey } = options;
  const code = headers.get('svc-error');
  const requestId = headers.get('svc-request-id') || undefined;
  // The service sends its request id with every upstream response. A gateway in front of the service sends none.
  const unmarkedCode = isFromUpstream && requestId ? 'upstream_failed' : 'unexpected_answer';
  const body = data as Partial<ErrorBody> | undefined;
  const error = code && body?.error?.message ? body.error : { details: { body: data } };
  return toServiceError({
    // A response to HEAD has no message. The URL names the user and holds the query, so it is left out.
    message: `HTTP ${status}`,
    requestId,
    ...error,
    code: code || unmarkedCode,
    // The details of a tool's error have the status of its upstream.
    status: Number(error.details?.status) || status,
    retryAfter: retryAfterOf(headers),
    idempotencyKey,
  });
}

/** The seconds that `Retry-After` asks to wait. The header holds seconds or a date. */
function retryAfterOf(headers: Headers): number | undefined {
  const value = headers.get('retry-after') ?? '';
  const seconds = Number(value) || (Date.parse(value) - Date.now()) / 1000;
  return seconds > 0 ? seconds : undefined;
}
