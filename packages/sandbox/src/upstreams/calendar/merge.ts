import { isObject } from '../../json.js';
import type { Fields } from './state.js';

/** A patch: given values replace, null removes, objects are merged, lists are replaced as a whole. */
export function merge(stored: Readonly<Fields>, patch: Readonly<Fields>): Fields {
  const merged: Fields = { ...stored };
  for (const [key, value] of Object.entries(patch)) {
    const before = stored[key];
    if (value === null) delete merged[key];
    else if (isObject(value)) merged[key] = merge(isObject(before) ? before : {}, value);
    else merged[key] = value;
  }
  return merged;
}
