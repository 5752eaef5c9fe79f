import { type Failure, ServiceError, toServiceError } from './errors.js';

interface ErrorAnswer {
  code?: string;
  message?: string;
  details?: { status?: unknown; body?: unknown };
}

/** What ky throws, by the fields that it has with and without an answer. */
export interface Thrown extends Error {
  response?: Response;
  data?: { error?: ErrorAnswer | string; error_description?: string };
}

interface Sent {
  readonly isProxied: boolean | undefined;
  /** Whether anything was. */
  readonly isSent: boolean;
  readonly idempotencyKey: string | undefined;
}

/**
 * The code under which what the application's own way to a token threw gets through ky, which would take it for an error of the
 * network when it looks like one. It is handed out as it was.
 */
export const OWN = 'own';
/** Makes an error of ours of what ky threw; ky's own holds the request, and so the token: it is left behind. */
export function describeFailure(thrown: Thrown, sent: Sent): unknown {
  const own = [thrown, thrown.cause].find((error) => error instanceof ServiceError);
  // Of a token that did not come: all calls that waited for it share the error, and so it gets the key of none.
  if (own) return own.code === OWN ? own.cause : own;
  return toServiceError({ ...failureOf(thrown, sent), idempotencyKey: sent.idempotencyKey || undefined });
}

function failureOf(thrown: Thrown, { isProxied, isSent }: Sent): Failure {
  const { message, name, cause, response, data } = thrown;
  if (!response) {
    // Before anything is sent only a header, a body or a setting can be wrong.
    const code = isSent ? 'connection_failed' : 'invalid_request';
    return {
      code: name === 'TimeoutError' ? 'timeout' : code,
      // Addresses of the proxy and of connections name the user, and hold what was asked.
      message: message.split(/\/v1\/[pc]/)[0] as string,
      cause: isSent ? cause : thrown,
    };
  }
  const { status, headers } = response;
  const code = headers.get('svc-error');
  const requestId = headers.get('svc-request-id') ?? undefined;
  // OAuth has another form of errors.
  const own = data?.error_description ? { code: data.error, message: data.error_description } : data?.error;
  // The service marks its errors, and what it hands on of an upstream: the rest is of something before the service.
  const handedOn = isProxied && requestId && { code: 'upstream_failed', details: { body: data } };
  const told = ((code ? own : handedOn) || {}) as ErrorAnswer;
  return {
    // An answer to HEAD has no other words, and the address, which names the user and holds what was asked, does not belong here.
    code: code ?? 'unexpected_answer',
    message: `HTTP ${status}`,
    requestId,
    ...told,
    // A tool tells its upstream's status in the details.
    status: Number(told.details?.status) || status,
    retryAfter: Number(headers.get('retry-after')) || undefined,
  };
}
