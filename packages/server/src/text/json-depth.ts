/**
 * Maximum nesting depth of JSON. No upstream needs more, and deeper nesting could overflow the stack of recursive code.
 */
export const DEEPEST = 200;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const OPEN_OBJECT = 0x7b;
const CLOSE_ARRAY = 0x5d;
const CLOSE_OBJECT = 0x7d;

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
    if (depth > DEEPEST) return true;
  }
  return false;
}
