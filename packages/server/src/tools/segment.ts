import { invalidInput } from './invalid-input.js';

// encodeURIComponent keeps dots, and a lone dot segment would climb out of the path. Encoded slashes and control
// characters are refused on the way out, where nobody knows the input that they came from.
const NO_SEGMENT = /^\.{0,2}$|[/\\\p{Cc}]/u;

/** Encodes a value as exactly one segment of a path. `field` names the input that it came from. */
export const segment = (value: string, field: string): string => {
  if (NO_SEGMENT.test(value) || !value.isWellFormed()) {
    throw invalidInput(field, 'segment', 'cannot be part of a path; give the id as the upstream shows it');
  }
  return encodeURIComponent(value);
};
