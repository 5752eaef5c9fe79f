import { endOfString, measureJson, parseJson } from '@svc/catalog';
import { ServiceError } from '../errors.js';
import { JSON_BODY } from '../listener/body-limits.js';
import { isPlainText } from '../text/plain-text.js';

export const MAX_DEPTH = 32;

/**
 * Maximum number of keys and of values in a JSON body, because each costs more time and memory than its bytes suggest.
 * Bodies over 1 MiB have higher limits, because only a few tools accept them.
 */
const MAX_IN_BODY = { keys: 5_000, values: 50_000 };
const MAX_IN_LARGE_BODY = { keys: 50_000, values: 500_000 };

const PROTOTYPE_KEY = '__proto__';
const UTF_8 = new TextDecoder('utf-8', { fatal: true });
const refuse = (message: string): never => {
  throw new ServiceError('invalid_request', message);
};

export const NOT_JSON = 'The body is not valid JSON. Correct its syntax, then send the request again.';
const notJson = (): never => refuse(NOT_JSON);

/** Numbers that some JSON libraries write, such as the one in Python, although JSON does not allow them. */
const NO_JSON_NUMBERS = ['NaN', 'Infinity'];

/** Returns `NaN` or `Infinity` if the JSON text contains it outside of strings. */
function findNoJsonNumber(text: string): string | undefined {
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character === '"') index = endOfString(text, index + 1);
    if (character !== 'N' && character !== 'I') continue;
    const found = NO_JSON_NUMBERS.find((number) => text.startsWith(number, index));
    if (found !== undefined) return found;
  }
  return undefined;
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    const number = findNoJsonNumber(text);
    return number === undefined
      ? notJson()
      : refuse(`The body contains ${number}, which is not valid JSON. Send a number, or omit the field.`);
  }
}

/**
 * Counts the keys in a JSON text, even if it is invalid. Throws if the numbers of keys or values, or the depth of
 * nesting, exceed their limits.
 */
function countKeys(text: string): number {
  const most = { ...(text.length > JSON_BODY ? MAX_IN_LARGE_BODY : MAX_IN_BODY), levels: MAX_DEPTH };
  const { keys, exceeded } = measureJson(text, most);
  if (exceeded === 'levels') refuse(`The body is nested deeper than ${MAX_DEPTH} levels. Send fewer levels.`);
  if (exceeded !== undefined)
    refuse(
      `The body has more ${exceeded} than the maximum of ${most[exceeded]} for a body of its size. Send fewer ${exceeded}.`,
    );
  return keys;
}

// Matches JSON escapes of NUL and of surrogates, which a database cannot store. A body without such escapes needs no
// further search, because it can contain neither in another form.
const MAY_BE_NO_TEXT = /\\u(0000|d[89a-f])/i;

function checkText(text: string): void {
  if (isPlainText(text)) return;
  refuse(
    text.includes('\0')
      ? 'A string in the body contains a NUL character. Remove it.'
      : 'A string in the body contains half of a surrogate pair. Send the whole character, or remove it.',
  );
}

/**
 * Calls `visit` for each member of an object or array. `key` is `undefined` for an array, because creating a string for
 * each index, as Object.entries does, would be slow.
 */
function eachMember(parent: object, visit: (child: unknown, key?: string) => void): void {
  if (Array.isArray(parent)) for (const child of parent) visit(child);
  else for (const key in parent) visit(Reflect.get(parent, key), key);
}

/**
 * Throws if a number exceeds the range of JavaScript, such as 1e400. Such a number is parsed as Infinity, and would be
 * sent to the upstream as null.
 */
function checkNumber(value: unknown): void {
  if (typeof value === 'number' && !Number.isFinite(value))
    refuse(
      'The body contains a number that is too large. Send a smaller number, or send the number as a string.',
    );
}

/**
 * Throws for values that JSON.parse accepts but the service refuses: duplicate keys, the key `__proto__`, numbers out
 * of range, and strings that a database cannot store.
 */
function checkValue(value: unknown, { keys, text }: { readonly keys: number; readonly text: string }): void {
  const hasEscapes = MAY_BE_NO_TEXT.test(text);
  const values = [value];
  let parsedKeys = 0;
  checkNumber(value);
  const visit = (child: unknown, key?: string) => {
    checkNumber(child);
    if (hasEscapes || typeof child === 'object') values.push(child);
    if (key === undefined) return;
    parsedKeys += 1;
    if (key === PROTOTYPE_KEY) refuse(`The key "${key}" is not allowed in a body. Rename it.`);
    if (hasEscapes) checkText(key);
  };
  while (values.length > 0) {
    const next = values.pop();
    if (typeof next === 'string') checkText(next);
    if (typeof next === 'object' && next !== null) eachMember(next, visit);
  }
  if (parsedKeys !== keys) refuse('An object in the body has the same key twice. Remove one.');
}

/**
 * Parses a JSON request body. Throws if two JSON parsers could read it differently (rules A10 and A11 in
 * security-rules.md).
 */
export function parseJsonBody(bytes: Buffer): unknown {
  const text = decode(bytes);
  const keys = countKeys(text);
  const value = parse(text);
  checkValue(value, { keys, text });
  return value;
}

function decode(bytes: Buffer): string {
  try {
    return UTF_8.decode(bytes);
  } catch {
    return refuse('The body is not valid UTF-8. Encode the body in UTF-8, then send the request again.');
  }
}
