import { InvalidInputError } from '../errors.js';

// Rejects an empty text, "." and "..", because `encodeURIComponent` keeps dots and URL parsers resolve these
// segments. Rejects slashes and control characters, because the later check of the URL cannot name the input.
const NO_SEGMENT = /^\.{0,2}$|[/\\\p{Cc}]/u;

/**
 * Encodes a value as exactly one segment of a path. `field` names the input in the error. Throws `InvalidInputError`.
 */
export function segment(value: string, field: string): string {
  if (NO_SEGMENT.test(value) || !value.isWellFormed()) {
    const message = `"${field}" cannot be part of a path; give the id as the upstream shows it`;
    throw new InvalidInputError([{ field, rule: 'segment', message }]);
  }
  return encodeURIComponent(value);
}
