import { type ServiceError, toServiceError } from './errors.js';

interface CallState {
  /** True if an attempt of the call was sent. If false, ky failed because the request could not be built. */
  readonly isSent: boolean;
  readonly idempotencyKey: string | undefined;
}

/** Error that ky or `fetch` threw. */
interface Thrown extends Error {
  /** Request of the failed attempt. Only ky's own errors have this field. */
  readonly request?: Request;
}

/** Converts a failure of a call without a response to a `ServiceError`. */
export function describeFailure(error: unknown, { isSent, idempotencyKey }: CallState): ServiceError {
  const { name, message = String(error), request, cause } = (error ?? {}) as Partial<Thrown>;
  const code = isSent ? 'connection_failed' : 'invalid_request';
  return toServiceError({
    code: name === 'TimeoutError' ? 'timeout' : code,
    message: withoutPath(message),
    // Replaces ky's error by its cause, the error of `fetch`, because ky's error contains the request with its token.
    cause: request ? cause : error,
    idempotencyKey,
  });
}

/**
 * Removes the path of a URL at the end of an error message, because the path contains the user's name and the query.
 */
function withoutPath(message: string): string {
  const [start = ''] = message.split('/v1/');
  return start;
}
