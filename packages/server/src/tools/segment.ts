import { ServiceError } from '../errors.js';

/** Encodes a value as exactly one segment of a path. */
export const segment = (value: string): string => {
  // encodeURIComponent keeps dots, and a lone dot segment would climb out of the path.
  if (value === '' || value === '.' || value === '..' || !value.isWellFormed()) {
    throw new ServiceError(
      'invalid_input',
      'A value that becomes part of the path is empty, "." or "..", or is not valid Unicode; give the id as the upstream shows it',
    );
  }
  return encodeURIComponent(value);
};
