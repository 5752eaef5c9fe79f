import { ServiceError } from '../errors.js';

/** Error of a write whose row refers to a row that another request deleted at the same time. */
export const deletedMeanwhile = (cause: unknown): ServiceError =>
  new ServiceError(
    'conflict',
    'The object was deleted while this request ran. List what exists, then retry.',
    undefined,
    { cause },
  );
