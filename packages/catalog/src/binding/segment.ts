import { InvalidInputError } from '../errors.js';

// encodeURIComponent keeps dots, and a lone dot segment would climb out of the path. Encoded slashes and control
// characters are refused on the way out, where nobody knows the input that they came from.
const NO_SEGMENT = /^\.{0,2}$|[/\\\p{Cc}]/u;

/** Encodes a value as exactly one segment of a path. `field` names the input that it came from. Throws `InvalidInputError`. */
export function segment(value: string, field: string): string {
  if (NO_SEGMENT.test(value) || !value.isWellFormed()) {
    const message = `"${field}" cannot be part of a path; give the id as the upstream shows it`;
    throw new InvalidInputError([{ field, rule: 'segment', message }]);
  }
  return encodeURIComponent(value);
}
