import { ServiceError } from '../errors.js';

/** Error for a write that refers to a row which a concurrent request deleted. */
export const deletedMeanwhile = (cause: unknown): ServiceError =>
  new ServiceError(
    'conflict',
    'The object was deleted while this request ran. List what exists, then retry.',
    undefined,
    { cause },
  );
