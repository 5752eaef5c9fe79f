import type { Call, SendOptions, ServiceResponse } from './call.js';
import { type Failure, type ServiceError, toServiceError } from './errors.js';

/** Body of a response, and whether the body is valid. */
interface ResponseBody {
  /** Body of the response: parsed JSON, text, or a Blob. */
  readonly data: unknown;
  /** True if a body declared as JSON is valid JSON. An empty body is valid and has no data. */
  readonly isValid: boolean;
}

/** Attempt of a call: the call, its options, and the settings of the client. */
export interface Attempt {
  readonly settings: { readonly environmentUrl: string };
  readonly call: Call;
  readonly options: SendOptions;
}

/**
 * Reads the body of a response: JSON is parsed, text becomes a string, and anything else a Blob. The service's own
 * responses are always JSON. Throws a `ServiceError` for an error response and for invalid JSON.
 */
export async function readResponse(response: Response, attempt: Attempt): Promise<ServiceResponse> {
  const { status, headers } = response;
  const { isProxied } = attempt.call;
  // A redirect of the upstream counts as success, because the proxy passes it to the caller. Any other redirect does not.
  // A browser hides it, and then reports the status 0.
  const isSuccess = response.ok || (isProxied && status < 400);
  if (isSuccess && attempt.options.stream) return response;
  const { data, isValid } = await readBody(response, isProxied);
  if (isSuccess && isValid) return { status, headers, data, requestId: headers.get('svc-request-id') ?? '' };
  throw toError(response, data, attempt);
}

async function readBody(response: Response, isProxied: boolean | undefined): Promise<ResponseBody> {
  const type = response.headers.get('content-type') ?? '';
  const isJson = !isProxied || /[/+]json(;|$)/.test(type);
  if (isJson) return parseBody(await response.text());
  // Reads every error body as text, so that error messages can show it.
  const isText = response.status >= 400 || /^text/.test(type);
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

function toError(
  { status, headers }: Response,
  data: unknown,
  { call: { method, isProxied }, options: { idempotencyKey }, settings: { environmentUrl } }: Attempt,
): ServiceError {
  const code = headers.get('svc-error');
  const requestId = headers.get('svc-request-id') || undefined;
  // Distinguishes the upstream from a gateway in front of the service. The service adds its request id to every
  // upstream response.
  const isUpstream = isProxied && status >= 400 && requestId;
  const unmarked = isUpstream
    ? {
        code: 'upstream_failed',
        message: `The upstream responded to ${method} with HTTP ${status}${reasonOf(data)}`,
      }
    : {
        code: 'unexpected_response',
        message: `The response with HTTP ${status} is not from the service. Check environmentUrl (${environmentUrl}) and any proxy in front of the service.`,
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

/** Fields in which JSON errors of upstreams state their reason. */
interface UpstreamErrorBody {
  readonly error?: { readonly message?: unknown };
  readonly message?: unknown;
  readonly error_description?: unknown;
}

const MAX_REASON_LENGTH = 300;

/** Returns the end of an error message: the reason in the JSON body of the upstream's response. */
function reasonOf(data: unknown): string {
  const { error, message, error_description } = (data ?? {}) as UpstreamErrorBody;
  const texts = [error?.message, message, error_description, error];
  const reason = texts.find((text) => typeof text === 'string');
  return reason ? `: ${reason.slice(0, MAX_REASON_LENGTH).toWellFormed()}` : '. See body.';
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
