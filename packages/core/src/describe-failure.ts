import { ServiceError, toServiceError } from './errors.js';
import { isOwn } from './own-errors.js';

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
}

/** Makes an error of ours of what ky threw; ky's own holds the request, and so the token: it is left behind. */
export function describeFailure(thrown: Thrown, { isProxied, isSent }: Sent): unknown {
  // ky takes an application's own error for one of the network when it looks like one.
  const given = [thrown, thrown.cause].find((error) => error instanceof ServiceError || isOwn(error));
  if (given) return given;
  const { message, name, cause, response, data } = thrown;
  if (!response) {
    // Before anything is sent only a header, a body or a setting can be wrong.
    const code = isSent ? 'connection_failed' : 'invalid_request';
    return toServiceError({
      code: name === 'TimeoutError' ? 'timeout' : code,
      message,
      cause: isSent ? cause : thrown,
    });
  }
  const { status, headers } = response;
  const error =
    isProxied && !headers.has('svc-error')
      ? { code: 'upstream_failed', details: { body: data } }
      : data?.error;
  // OAuth has another form of errors.
  const failure: ErrorAnswer | undefined =
    typeof error === 'string' ? { code: error, message: data?.error_description ?? message } : error;
  return toServiceError({
    // An answer to HEAD has no other words.
    code: headers.get('svc-error') ?? 'unexpected_answer',
    message,
    requestId: headers.get('svc-request-id') ?? undefined,
    ...failure,
    // A tool tells its upstream's status in the details.
    status: Number(failure?.details?.status) || status,
    retryAfter: Number(headers.get('retry-after')) || undefined,
  });
}
