import { isJsonObject, type JsonSchema } from '../json-schema.js';
import { parseJson } from '../parse-json.js';
import type { Dialect } from './limits.js';

/**
 * Property names of wrapper objects, which have a single property. A wrapper carries a value that a model vendor's
 * variant of JSON Schema cannot express.
 */
export const AS_JSON = 'as_json';
const AS_ENTRIES = 'as_entries';
const AS_NULL = 'as_null';

function only(name: string, value: JsonSchema): JsonSchema {
  return { type: 'object', additionalProperties: false, required: [name], properties: { [name]: value } };
}

/** Returns the schema of a wrapper object that carries any object as JSON text. */
export const jsonForm = () =>
  only(AS_JSON, { type: 'string', description: 'Write the object here as JSON text.' });

/**
 * Returns the schema of a wrapper object that carries an object with free property names as a list of names and values.
 */
export const entriesForm = (value: JsonSchema): JsonSchema =>
  only(AS_ENTRIES, {
    type: 'array',
    items: {
      type: 'object',
      additionalProperties: false,
      required: ['name', 'value'],
      properties: { name: { type: 'string' }, value },
    },
  });

/** Returns the schema of a wrapper object that carries null, for model vendors that send null for an absent field. */
export const nullForm = () => only(AS_NULL, { type: 'null', description: 'The value null.' });

/**
 * Converts a model's arguments from the model vendor's form to the tool input that the service expects. Unreadable
 * arguments stay unchanged, so that the service rejects them.
 */
export function restoreArguments(input: unknown, dialect: Dialect | 'wire'): unknown {
  if (dialect === 'wire' || dialect === 'gemini') return input;
  return restoreInput(input, dialect === 'openai-strict');
}

/**
 * Replaces wrapper objects by the values that they carry, at every depth. `isNullAbsent`: a null property counts as
 * absent and is removed.
 */
function restoreInput(value: unknown, isNullAbsent: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => restoreInput(item, isNullAbsent));
  if (!isJsonObject(value)) return value;
  const [[key, inner] = ['', undefined], ...others] = Object.entries(value);
  if (others.length === 0) {
    if (key === AS_NULL) return null;
    if (key === AS_JSON) return typeof inner === 'string' ? parsed(inner) : value;
    if (key === AS_ENTRIES && Array.isArray(inner)) return restoreEntries(inner, isNullAbsent);
  }
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null || !isNullAbsent)
      .map(([name, member]) => [name, restoreInput(member, isNullAbsent)]),
  );
}

function restoreEntries(entries: readonly unknown[], isNullAbsent: boolean): unknown {
  const members = entries.filter((entry) => isJsonObject(entry));
  return Object.fromEntries(
    members.map(({ name, value }) => [String(name), restoreInput(value, isNullAbsent)]),
  );
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}
