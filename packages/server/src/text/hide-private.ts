/** Text that replaces a secret or a value of a user. */
const HIDDEN = '(hidden)';

/**
 * Matches the names of properties whose values are secrets, such as `api_key`. The service hides these values in
 * approval requests and in messages of upstreams.
 */
export const SECRET_NAME =
  /pass(?:word|phrase|wd)|secret|token|api_?key|credential|authorization|cookie|private_?key/i;

// Minimum length of an input value that is hidden in a message. Shorter values, such as "me", are also ordinary words
// of messages.
const MIN_VALUE_CHARACTERS = 3;
const MAX_VALUES = 1000;
const MAX_DEPTH = 8;

// Words of a message. Quotes and brackets around a value do not belong to it.
const WORD = /[^\s"'`<>(){}[\],;]+/gu;
const WEB = /^https?:/i;
const SCHEME = /^(?:bearer|basic)$/i;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-/i;

const LONG = 40;
const MIXED = 16;

/** Returns true for a word that is probably an id or a token: a long number, or letters mixed with digits. */
const isId = (word: string): boolean =>
  word.length >= LONG ||
  /\d{6}/.test(word) ||
  UUID.test(word) ||
  (word.length >= MIXED && /\d/.test(word) && /[a-z]/i.test(word));

const isLongToken = (word: string): boolean => word.length >= LONG;

const isPrivate = (word: string): boolean => WEB.test(word) || word.includes('@') || isId(word);

/**
 * Creates a function that returns a word of a message, or `(hidden)` if the word is private. Call it with all words in
 * order, because it also hides the word after a secret's name.
 */
function createHideWord(isHidden: (word: string) => boolean) {
  let isNextHidden = false;
  let wasName = false;

  return function hideWord(word: string): string {
    const end = word.search(/[:=]/);
    const isSeparator = end === 0 && word.length === 1;
    const isName = SECRET_NAME.test(end === -1 ? word : word.slice(0, end));
    const hidesAll = isNextHidden && !isSeparator;
    const hidesValue = isName && end > 0 && end < word.length - 1;
    isNextHidden =
      (isSeparator && (wasName || isNextHidden)) ||
      (isName && end === word.length - 1) ||
      SCHEME.test(word) ||
      (hidesValue && SCHEME.test(word.slice(end + 1)));
    wasName = isName && end === -1;
    if (hidesAll && SCHEME.test(word)) return word;
    if (hidesAll || isHidden(word)) return HIDDEN;
    return hidesValue ? word.slice(0, end + 1) + HIDDEN : word;
  };
}

/** Collects the texts and numbers in a tool input. */
export function valuesIn(input: unknown, values: Set<string> = new Set(), depth = 0): Set<string> {
  if (values.size >= MAX_VALUES || depth > MAX_DEPTH) return values;
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
  const known = [...values].filter((value) => value.length >= MIN_VALUE_CHARACTERS);
  known.sort((one, other) => other.length - one.length);
  const rest = known.reduce((shown, value) => shown.replaceAll(value, HIDDEN), text);
  // A word inside an inserted `(hidden)` can be hidden once more. This turns `((hidden))` back into `(hidden)`.
  return rest.replace(WORD, createHideWord(isPrivate)).replaceAll(`(${HIDDEN})`, HIDDEN);
}

/**
 * Removes secrets from a text that the upstream shows to the user: words after the name of a secret, and long tokens.
 */
export const hideSecretWords = (text: string): string =>
  text.replace(WORD, createHideWord(isLongToken)).replaceAll(`(${HIDDEN})`, HIDDEN);
