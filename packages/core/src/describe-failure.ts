import { type ServiceError, toServiceError } from './errors.js';

interface CallState {
  /** True if an attempt of the call was sent. If false, ky failed because the request could not be built. */
  readonly isSent: boolean;
  readonly environmentUrl: string;
  readonly idempotencyKey: string | undefined;
}

/** Error that ky or `fetch` threw. */
interface Thrown extends Error {
  /** Request of the failed attempt. Only ky's own errors have this field. */
  readonly request?: Request;
}

/** Converts a failure of a call without a response to a `ServiceError`. */
export function describeFailure(
  error: unknown,
  { isSent, environmentUrl, idempotencyKey }: CallState,
): ServiceError {
  const { name, message = String(error), request, cause } = (error ?? {}) as Partial<Thrown>;
  // Removes the path of a URL at the end of a message, because the path contains the user's name and the query.
  const [withoutPath = ''] = message.split('/v1/');
  const failure = {
    // Replaces ky's error by its cause, the error of `fetch`, because ky's error contains the request with its token.
    cause: request ? cause : error,
    idempotencyKey,
    message: withoutPath,
  };
  if (name === 'TimeoutError') return toServiceError({ ...failure, code: 'timeout' });
  if (!isSent) return toServiceError({ ...failure, code: 'invalid_request' });
  return toServiceError({
    ...failure,
    code: 'connection_failed',
    message: `Cannot reach the service. Check that it runs. Check environmentUrl (${environmentUrl}) and any proxy in front of the service.`,
  });
}
