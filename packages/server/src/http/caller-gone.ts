import { ServiceError } from '../errors.js';

/** What a call ends with whose caller does not wait for its answer any more. */
export const callerGone = (): ServiceError =>
  new ServiceError('connection_failed', 'The caller went away before the answer was complete.', {
    reason: 'aborted',
  });
