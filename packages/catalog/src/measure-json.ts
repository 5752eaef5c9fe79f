import { endOfString } from './parse-json.js';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Maximum numbers of keys, values and nested levels in a JSON text. */
export interface JsonBounds {
  readonly keys: number;
  readonly values: number;
  readonly levels: number;
}

export interface JsonMeasure {
  readonly keys: number;
  readonly values: number;
  /** First bound that the text exceeds. The counts end there. `undefined` if the text exceeds none. */
  readonly exceeded: keyof JsonBounds | undefined;
}

/** Counts the keys and values of a JSON text without parsing it. Invalid JSON is counted too. */
export function measureJson(text: string, most: JsonBounds): JsonMeasure {
  let depth = 0;
  let keys = 0;
  let values = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfString(text, index + 1);
    else if (code === COLON) keys += 1;
    else if (code === COMMA) values += 1;
    else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      values += 1;
      depth += 1;
    } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) depth -= 1;
    else continue;
    if (keys > most.keys) return { keys, values, exceeded: 'keys' };
    if (values > most.values) return { keys, values, exceeded: 'values' };
    if (depth > most.levels) return { keys, values, exceeded: 'levels' };
  }
  return { keys, values, exceeded: undefined };
}
