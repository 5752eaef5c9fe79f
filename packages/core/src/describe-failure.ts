import { type ServiceError, toServiceError } from './errors.js';

interface CallState {
  /** True if the first attempt was made. Before it, ky throws for a request that cannot be built. */
  readonly isSent: boolean;
  readonly idempotencyKey: string | undefined;
}

/** An error of ky, or one that `fetch` threw. */
interface Thrown extends Error {
  /** Set on ky's own errors. */
  readonly request?: Request;
}

/** Turns a failure without a response into a `ServiceError`. */
export function describeFailure(error: unknown, { isSent, idempotencyKey }: CallState): ServiceError {
  const { name, message = String(error), request, cause } = (error ?? {}) as Partial<Thrown>;
  const code = isSent ? 'connection_failed' : 'invalid_request';
  return toServiceError({
    code: name === 'TimeoutError' ? 'timeout' : code,
    message: withoutPath(message),
    // An error of ky holds the request with its token. Its cause, the error of `fetch`, does not.
    cause: request ? cause : error,
    idempotencyKey,
  });
}

/** Cuts the path off a URL at the end of a message, because it names the user and holds the query. */
function withoutPath(message: string): string {
  const [start = ''] = message.split('/v1/');
  return start;
}
