/** Text that replaces a secret or a value of a user. */
const HIDDEN = '(hidden)';

/**
 * Pattern of the names of properties whose values are secrets. The person who sees them may not be the owner of the
 * secret.
 */
export const SECRET_NAME =
  /pass(?:word|phrase|wd)|secret|token|api_?key|credential|authorization|cookie|private_?key/i;

// Shorter values are words such as "me", which a message also contains for other reasons.
const LEAST_VALUE = 3;
const MOST_VALUES = 1000;
const MOST_DEPTH = 8;

const ADDRESS = /[^\s@"'<>(),;:]{1,64}@[^\s@"'<>(),;:]{1,255}/gu;
const URL_TEXT = /\bhttps?:\/\/[^\s"'<>]+/giu;
const AFTER_SCHEME = /\b(bearer|basic) [^\s"',;]+/giu;
const ASSIGNED =
  /\b([\w-]{0,40}(?:password|passwd|secret|token|key|cookie|credential|authorization))(["']?[:=] ?["']?)[^\s"',;&]+/giu;
const WORD = /[\w+/=.~-]{6,}/gu;

const LONG = 40;
const MIXED = 16;

/** Returns true for a word that is probably an id or a token: a long number, or letters mixed with digits. */
const isId = (word: string): boolean =>
  word.length >= LONG ||
  /\d{6}/.test(word) ||
  /^[0-9a-f]{8}-[0-9a-f]{4}-/i.test(word) ||
  (word.length >= MIXED && /\d/.test(word) && /[a-z]/i.test(word));

/** Collects the texts and numbers in a tool input. */
export function valuesIn(input: unknown, values: Set<string> = new Set(), depth = 0): Set<string> {
  if (values.size >= MOST_VALUES || depth > MOST_DEPTH) return values;
  if (typeof input === 'string' || typeof input === 'number') values.add(String(input));
  else if (typeof input === 'object' && input !== null)
    for (const value of Object.values(input)) valuesIn(value, values, depth + 1);
  return values;
}

/**
 * Removes secrets and user data from the message of an upstream: the given values, e-mail addresses, URLs, credentials
 * and ids.
 */
export function hidePrivate(text: string, values: Iterable<string>): string {
  const known = [...values].filter((value) => value.length >= LEAST_VALUE);
  known.sort((one, other) => other.length - one.length);
  return known
    .reduce((rest, value) => rest.replaceAll(value, HIDDEN), text)
    .replace(URL_TEXT, HIDDEN)
    .replace(ADDRESS, HIDDEN)
    .replace(AFTER_SCHEME, `$1 ${HIDDEN}`)
    .replace(ASSIGNED, `$1$2${HIDDEN}`)
    .replace(WORD, (word) => (isId(word) ? HIDDEN : word));
}
