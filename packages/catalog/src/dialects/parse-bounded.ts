import { measureJson } from '../measure-json.js';
import { parseJson } from '../parse-json.js';

/** Number of keys and values that the JSON texts of one tool input may still contain. */
export interface JsonRoom {
  keys: number;
  values: number;
}

/** Maximum numbers of keys and values in all JSON texts of one tool input, as in a request body of 1 MiB. */
export const createRoom = (): JsonRoom => ({ keys: 5_000, values: 50_000 });

/** Maximum nesting depth of a JSON text, as in a request body. */
const MOST_LEVELS = 32;

/** Takes the room for the keys and values of a JSON text. Returns false if there is no room for them. */
function takeRoom(text: string, room: JsonRoom): boolean {
  const { keys, values, exceeded } = measureJson(text, { ...room, levels: MOST_LEVELS });
  room.keys -= keys;
  room.values -= values;
  return exceeded === undefined;
}

/** Parses a JSON text. Returns `undefined` for invalid JSON, and for a text with too many keys, values or levels. */
export function parseBounded(text: string, room: JsonRoom): unknown {
  try {
    return takeRoom(text, room) ? parseJson(text) : undefined;
  } catch {
    return undefined;
  }
}
