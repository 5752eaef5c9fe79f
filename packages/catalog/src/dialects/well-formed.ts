import { isJsonObject } from '../json-schema.js';

function repaired(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(repaired);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name.toWellFormed(), repaired(member)]),
  );
}

/**
 * Returns JSON data with U+FFFD for each half of a surrogate pair in its texts and keys, because the APIs of model
 * vendors reject ill-formed Unicode. Returns the same object if there is none.
 */
export function wellFormed(value: unknown): unknown {
  // JSON.stringify escapes only ill-formed Unicode as `\ud…`.
  const isIllFormed = JSON.stringify(value)?.includes('\\ud') === true;
  return isIllFormed ? repaired(value) : value;
}
