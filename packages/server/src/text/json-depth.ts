import { BACKSLASH, CLOSE_ARRAY, CLOSE_OBJECT, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from './json-bytes.js';

/**
 * Maximum nesting depth of JSON. No upstream needs more, and deeper nesting could overflow the stack of recursive code.
 */
export const MAX_JSON_DEPTH = 200;

/** Returns whether JSON text is nested deeper than 200 levels. Scans the text once, and accepts invalid JSON too. */
export function isTooDeep(json: Uint8Array): boolean {
  let depth = 0;
  let isText = false;
  for (let index = 0; index < json.length; index += 1) {
    const byte = json[index] ?? 0;
    if (byte === QUOTE) isText = !isText;
    else if (isText) index += byte === BACKSLASH ? 1 : 0;
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) depth += 1;
    else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth -= 1;
    if (depth > MAX_JSON_DEPTH) return true;
  }
  return false;
}
