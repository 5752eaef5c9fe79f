import { ServiceError } from '../errors.js';

/**
 * Error of a tool that sent several requests, of which a later one failed. It keeps the code and the details of `error`.
 * `message` says what is done and how to go on. `repeatable: false` keeps clients from repeating the whole call, which
 * the code alone, such as unavailable, would allow.
 */
export function partialFailure(error: unknown, message: string, progress: Record<string, unknown>): Error {
  if (!(error instanceof ServiceError)) {
    return new ServiceError('internal_error', message, { repeatable: false, progress }, { cause: error });
  }
  const details = { ...error.details, repeatable: false, progress };
  return new ServiceError(error.code, `${message}: ${error.message}`, details, { cause: error });
}
