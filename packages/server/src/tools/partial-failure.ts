import { ServiceError } from '../errors.js';

/**
 * Creates the error of a tool that failed after some of its upstream requests succeeded. It keeps the code and the
 * details of `error`. `message` explains what is done and how to continue. `repeatable: false` stops clients from
 * retrying the whole call, which a code such as unavailable would otherwise allow.
 */
export function partialFailure(error: unknown, message: string, progress: Record<string, unknown>): Error {
  if (!(error instanceof ServiceError)) {
    return new ServiceError('internal_error', message, { repeatable: false, progress }, { cause: error });
  }
  const details = { ...error.details, repeatable: false, progress };
  return new ServiceError(error.code, `${message} Cause: ${error.message}`, details, { cause: error });
}
