import { ServiceError } from '../errors.js';

/**
 * The error of a tool that made several calls, of which a later one failed: same code and details, and how far it came.
 * `message` says what is done already and how to go on, so that nobody repeats the whole; a code such as unavailable would
 * say that nothing ran, so that clients are told of it too.
 */
export const stoppedAt = (error: unknown, message: string, progress: Record<string, unknown>): Error => {
  if (!(error instanceof ServiceError)) {
    return new ServiceError('internal_error', message, { repeatable: false, progress }, { cause: error });
  }
  const details = { ...error.details, repeatable: false, progress };
  return new ServiceError(error.code, `${message}: ${error.message}`, details, { cause: error });
};
