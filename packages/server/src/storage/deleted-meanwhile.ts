import { ServiceError } from '../errors.js';

/** Error of a write whose row refers to a row that another request deleted at the same time. */
export const deletedMeanwhile = (cause: unknown): ServiceError =>
  new ServiceError(
    'conflict',
    'What this is about was deleted at the same moment. Look at what there is, and try again.',
    undefined,
    { cause },
  );
