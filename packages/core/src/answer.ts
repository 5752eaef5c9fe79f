import {
  AccountNotAuthorizedError,
  ConnectionError,
  InvalidInputError,
  RateLimitedError,
  ServiceError,
  TimeoutError,
  UpstreamError,
} from './errors.js';

const CLASSES: Readonly<Record<string, typeof ServiceError>> = {
  invalid_input: InvalidInputError,
  account_not_authorized: AccountNotAuthorizedError,
  upstream_failed: UpstreamError,
  rate_limited: RateLimitedError,
  connection_failed: ConnectionError,
  upstream_timeout: TimeoutError,
};

/** Reads a whole body: JSON parsed, other text as a string, anything else as bytes, nothing as undefined. */
export async function readBody(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? '';
  const isJson = /[/+]json\b/i.test(type);
  if (!isJson && !type.startsWith('text/')) {
    const bytes = new Uint8Array(await response.arrayBuffer());
    return bytes.length ? bytes : undefined;
  }
  const text = await response.text();
  if (!isJson || !text) return text || undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Makes the error of an answer that is none of what was asked for; `isUpstream` says whose it is. */
export function toError(response: Response, body: unknown, isUpstream: boolean): ServiceError {
  const { status, headers } = response;
  const retryAfter = secondsUntil(headers.get('retry-after'));
  if (isUpstream) {
    const details = { status, body, retryAfter };
    return new UpstreamError('upstream_failed', `The upstream answered ${status}`, {
      status,
      retryAfter,
      details,
    });
  }
  const { code, message, details, requestId } = errorOf(body);
  const known = code ?? 'unexpected_answer';
  return new (CLASSES[known] ?? ServiceError)(
    known,
    message ?? `"${response.url}" answered ${status} and not as the service does: check environmentUrl`,
    { status, details, requestId, retryAfter },
  );
}

function errorOf(body: unknown): {
  code?: string;
  message?: string;
  details?: Record<string, unknown>;
  requestId?: string;
} {
  const { error, error_description } = Object(body);
  return typeof error === 'string' ? { code: error, message: error_description } : Object(error);
}

/** Reads a Retry-After: a number of seconds, or a date. */
function secondsUntil(value: string | null): number | undefined {
  if (!value) return undefined;
  const seconds = Number(value);
  return Number.isNaN(seconds) ? (Date.parse(value) - Date.now()) / 1000 : seconds;
}
