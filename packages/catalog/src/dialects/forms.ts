import { isJsonObject, type JsonSchema } from '../json-schema.js';
import { parseJson } from '../parse-json.js';
import type { Dialect } from './limits.js';

/** Fields that stand alone in an object of the arguments, for what a dialect cannot say by itself. */
export const AS_JSON = 'as_json';
const AS_ENTRIES = 'as_entries';
const AS_NULL = 'as_null';

function only(name: string, value: JsonSchema): JsonSchema {
  return { type: 'object', additionalProperties: false, required: [name], properties: { [name]: value } };
}

/** Any object, as the text of its JSON. */
export const jsonForm = () => only(AS_JSON, { type: 'string', description: 'The object, as JSON.' });

/** An object with names of the caller's own, as a list of them. */
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

/** The value null, where null itself means that the field is left out. */
export const nullForm = () => only(AS_NULL, { type: 'null', description: 'The value null itself.' });

/** The tool's own input of what a model gave in a dialect. What cannot be read stays as it is, for the service to refuse. */
export function restoreArguments(input: unknown, dialect: Dialect | 'wire'): unknown {
  if (dialect === 'wire' || dialect === 'gemini') return input;
  return restoreInput(input, dialect === 'openai-strict');
}

/** `isNullAbsent`: null stands for a field that is left out. */
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
