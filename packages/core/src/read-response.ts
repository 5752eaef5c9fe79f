import type { Call, SendOptions, ServiceResponse } from './call.js';
import { type Failure, type ServiceError, toServiceError } from './errors.js';

/** Body of a response, and whether the body is valid. */
interface ResponseBody {
  /** Body of the response: parsed JSON, text, or a Blob. */
  readonly data: unknown;
  /** True if a body declared as JSON is valid JSON. An empty body is valid and has no data. */
  readonly isValid: boolean;
}

/** Call that was sent, its options, and the address of the service. */
interface Sent {
  readonly call: Call;
  readonly options: SendOptions;
  readonly environmentUrl: string;
}

/**
 * Reads the body of a response: JSON is parsed, text becomes a string, and anything else a Blob. The service's own
 * responses are always JSON. Throws a `ServiceError` for an error response and for invalid JSON.
 */
export async function readResponse(
  response: Response,
  { call: { isProxied }, options: { stream, idempotencyKey }, environmentUrl }: Sent,
): Promise<ServiceResponse> {
  const { status, headers } = response;
  // A redirect of the upstream counts as success, because the proxy passes it to the caller.
  const isSuccess = status < (isProxied ? 400 : 300);
  if (isSuccess && stream) return response;
  const { data, isValid } = await readBody(response, { isProxied, isSuccess });
  if (isSuccess && isValid) return { status, headers, data, requestId: headers.get('svc-request-id') ?? '' };
  const isFromUpstream = isProxied && !isSuccess;
  throw toError(response, data, { isFromUpstream, idempotencyKey, environmentUrl });
}

interface ReadOptions {
  readonly isProxied: boolean | undefined;
  readonly isSuccess: boolean;
}

async function readBody(response: Response, { isProxied, isSuccess }: ReadOptions): Promise<ResponseBody> {
  const type = response.headers.get('content-type') ?? '';
  const isJson = !isProxied || /[/+]json(;|$)/.test(type);
  if (isJson) return parseBody(await response.text());
  // Reads every error body as text, so that error messages can show it.
  const isText = !isSuccess || /^text/.test(type);
  return { data: isText ? await response.text() : await response.blob(), isValid: true };
}

async function parseBody(text: string): Promise<ResponseBody> {
  // Loads the parser only for texts with escapes, because `JSON.parse` reads all others correctly.
  const parse = text.includes('\\') ? (await import('./parse-json.js')).parseJson : JSON.parse;
  try {
    return { data: text ? parse(text) : undefined, isValid: true };
  } catch {
    return { data: undefined, isValid: false };
  }
}

/** Body of an error response of the service. */
interface ErrorBody {
  error: Partial<Omit<Failure, 'details'>> & { details?: { status?: unknown; body?: unknown } };
}

interface ErrorOptions {
  /** True if an error without the `svc-error` header may come from the upstream. */
  readonly isFromUpstream: boolean | undefined;
  readonly idempotencyKey: string | undefined;
  readonly environmentUrl: string;
}

function toError({ status, headers }: Response, data: unknown, options: ErrorOptions): ServiceError {
  const { isFromUpstream, idempotencyKey, environmentUrl } = options;
  const code = headers.get('svc-error');
  const requestId = headers.get('svc-request-id') || undefined;
  // Distinguishes the upstream from a gateway in front of the service. The service adds its request id to every
  // upstream response.
  const isUpstream = isFromUpstream && requestId;
  const unmarked = isUpstream
    ? {
        code: 'upstream_failed',
        message: `The upstream responded with HTTP ${status}. Read the reason in body.`,
      }
    : {
        code: 'unexpected_response',
        message: `The response with HTTP ${status} is not from the service. Correct environmentUrl (${environmentUrl}) or the proxy in front of it.`,
      };
  const body = data as Partial<ErrorBody> | undefined;
  const error = code && body?.error?.message ? body.error : { details: { body: data } };
  return toServiceError({
    // Uses the status as default message, because a response to HEAD has no body. Leaves out the path, which contains
    // the user's name and the query.
    message: code ? `HTTP ${status}` : unmarked.message,
    requestId,
    ...error,
    code: code || unmarked.code,
    // Prefers the status in `details`, which is the upstream's status of a failed tool call.
    status: Number(error.details?.status) || status,
    retryAfter: retryAfterOf(headers),
    idempotencyKey,
  });
}

/**
 * Returns the seconds to wait according to the header `Retry-After`, which contains seconds or a date. Undefined if
 * there is no wait.
 */
function retryAfterOf(headers: Headers): number | undefined {
  const value = headers.get('retry-after') ?? '';
  const seconds = Number(value) || (Date.parse(value) - Date.now()) / 1000;
  return seconds > 0 ? seconds : undefined;
}
