import { ServiceError } from '../errors.js';

/** Creates the error for a write that refers to a row which a concurrent request has deleted. */
export const deletedMeanwhile = (cause: unknown): ServiceError =>
  new ServiceError(
    'conflict',
    'An object that this request uses, such as its connection or account, was deleted while the request ran. List the objects that still exist, and use one of them.',
    undefined,
    { cause },
  );
