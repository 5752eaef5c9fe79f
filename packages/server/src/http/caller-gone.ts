import { ServiceError } from '../errors.js';

/** The error of a call whose caller has disconnected. */
export const callerGone = (): ServiceError =>
  new ServiceError('connection_failed', 'The caller went away before the answer was complete.', {
    reason: 'aborted',
  });
