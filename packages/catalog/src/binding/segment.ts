import { InvalidInputError } from '../errors.js';

// Patterns of texts that must not be a URL path segment, each with the reason for the error message. URL parsers
// resolve "." and "..", and `encodeURIComponent` keeps dots. Slashes and control characters are rejected here, because
// the later check of the URL cannot name the tool input.
const NO_SEGMENT: readonly (readonly [RegExp, string])[] = [
  [/^$/, 'it is empty'],
  [/^\.{1,2}$/, 'it is "." or ".."'],
  [/[/\\]/, 'it contains a slash or a backslash'],
  [/\p{Cc}/u, 'it contains a control character'],
];

/**
 * Encodes a value as exactly one segment of a URL path. Throws `InvalidInputError`, which names the tool input `field`.
 */
export function segment(value: string, field: string): string {
  const [, problem = value.isWellFormed() ? undefined : 'it is not valid Unicode'] =
    NO_SEGMENT.find(([pattern]) => pattern.test(value)) ?? [];
  if (problem !== undefined) {
    const message = `"${field}" cannot be an id, because ${problem}; send the id as the upstream shows it`;
    throw new InvalidInputError([{ field, rule: 'segment', message }]);
  }
  return encodeURIComponent(value);
}
