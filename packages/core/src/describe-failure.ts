import type { Sending } from './call.js';
import { ServiceError, toServiceError } from './errors.js';

/** What was thrown. ky's own errors hold the request, and so the token. */
export interface Thrown extends Error {
  readonly request?: Request;
}

/** Makes an error of ours of what was thrown; what is one, and what the application's own way to a token threw, comes as it is. */
export function describeFailure(thrown: Thrown, { code, idempotencyKey }: Sending): unknown {
  const cause = thrown.request ? thrown.cause : thrown;
  // All calls that waited for a token share what it failed with, and so it gets the key of none.
  if (cause instanceof ServiceError || (cause && !code)) return cause;
  return toServiceError({
    code: thrown.name === 'TimeoutError' ? 'timeout' : code,
    // Addresses of the proxy and of connections name the user, and hold what was asked.
    message: thrown.message.split(/\/v1\/[pc]/)[0] as string,
    cause,
    idempotencyKey,
  });
}
