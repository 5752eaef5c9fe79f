import { InvalidInputError } from '../errors.js';

// Matches texts that must not be a URL path segment. URL parsers resolve "." and "..", and `encodeURIComponent` keeps
// dots. Slashes and control characters are rejected here, because the later check of the URL cannot name the tool
// input.
const NO_SEGMENT = /^\.{0,2}$|[/\\\p{Cc}]/u;

/**
 * Encodes a value as exactly one segment of a URL path. Throws `InvalidInputError`, which names the tool input `field`.
 */
export function segment(value: string, field: string): string {
  if (NO_SEGMENT.test(value) || !value.isWellFormed()) {
    const message = `"${field}" cannot be an id, because it is empty, ".", ".." or invalid Unicode, or contains a slash, a backslash or a control character; send the id as the upstream shows it`;
    throw new InvalidInputError([{ field, rule: 'segment', message }]);
  }
  return encodeURIComponent(value);
}
