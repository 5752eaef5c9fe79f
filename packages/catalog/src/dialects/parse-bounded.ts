import { endOfString, parseJson } from '../parse-json.js';

/** Number of keys and values that the JSON texts of one tool input may still contain. */
export interface JsonRoom {
  keys: number;
  values: number;
}

/** Maximum numbers of keys and values in all JSON texts of one tool input, as in a request body of 1 MiB. */
export const createRoom = (): JsonRoom => ({ keys: 5_000, values: 50_000 });

/** Maximum nesting depth of a JSON text, as in a request body. */
const MOST_LEVELS = 32;

/** Counts the keys, values and levels of a JSON text without parsing it. Returns false if there is no room for them. */
function takeRoom(text: string, room: JsonRoom): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character === '"') index = endOfString(text, index + 1);
    else if (character === ':') room.keys -= 1;
    else if (character === ',') room.values -= 1;
    else if (character === '[' || character === '{') {
      room.values -= 1;
      depth += 1;
    } else if (character === ']' || character === '}') depth -= 1;
    if (room.keys < 0 || room.values < 0 || depth > MOST_LEVELS) return false;
  }
  return true;
}

/** Parses a JSON text. Returns `undefined` for invalid JSON, and for a text with too many keys, values or levels. */
export function parseBounded(text: string, room: JsonRoom): unknown {
  try {
    return takeRoom(text, room) ? parseJson(text) : undefined;
  } catch {
    return undefined;
  }
}
