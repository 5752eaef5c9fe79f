import { ServiceError, toServiceError } from './errors.js';

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

/** Makes an error of ours of what ky threw; ky's own holds the request, and so the token: it is left behind. */
export function describeFailure(thrown: Thrown, isProxied: boolean | undefined): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  const { message, name, cause, response, data } = thrown;
  if (!response) {
    return toServiceError({
      code: name === 'TimeoutError' ? 'timeout' : 'connection_failed',
      message,
      cause,
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
    code: 'unexpected_answer',
    message,
    ...failure,
    // A tool tells its upstream's status in the details.
    status: Number(failure?.details?.status) || status,
    retryAfter: Number(headers.get('retry-after')) || undefined,
  });
}
