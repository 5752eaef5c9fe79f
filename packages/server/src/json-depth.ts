/** Deeper is nothing that an upstream means; and what nests without end ends whoever walks it. */
export const DEEPEST = 200;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = [0x5b, 0x7b];
const CLOSE = [0x5d, 0x7d];

/** Whether JSON is nested deeper than 200 levels. One pass, also over bytes that are no JSON. */
export function isTooDeep(json: Uint8Array): boolean {
  let depth = 0;
  let isText = false;
  for (let index = 0; index < json.length; index += 1) {
    const byte = json[index] ?? 0;
    if (byte === QUOTE) isText = !isText;
    else if (isText) index += byte === BACKSLASH ? 1 : 0;
    else if (byte === OPEN[0] || byte === OPEN[1]) depth += 1;
    else if (byte === CLOSE[0] || byte === CLOSE[1]) depth -= 1;
    if (depth > DEEPEST) return true;
  }
  return false;
}
