import { ServiceError } from '../errors.js';

/** The error of a call whose caller has disconnected. */
export const callerGone = (): ServiceError =>
  new ServiceError('connection_failed', 'The caller disconnected before the response was complete.', {
    reason: 'aborted',
  });
