import { ServiceError } from '../errors.js';

/** What a row belongs to, or needs, was there when it was looked for and is there no more. */
export const goneMeanwhile = (cause: unknown): ServiceError =>
  new ServiceError(
    'conflict',
    'What this is about was deleted at the same moment. Look at what there is, and try again.',
    undefined,
    { cause },
  );
