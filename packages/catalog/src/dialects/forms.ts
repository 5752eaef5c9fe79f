import { isJsonObject, type JsonSchema } from '../json-schema.js';
import type { Dialect } from './limits.js';

/** Fields that stand alone in an object of the arguments, for what a dialect cannot say by itself. */
export const AS_JSON = 'as_json';
const AS_ENTRIES = 'as_entries';
const AS_NULL = 'as_null';

const only = (name: string, value: JsonSchema): JsonSchema => ({
  type: 'object',
  additionalProperties: false,
  required: [name],
  properties: { [name]: value },
});

/** Any object, as the text of its JSON. */
export const jsonForm = (description: readonly string[]): JsonSchema => ({
  ...only(AS_JSON, { type: 'string', description: 'The object, as JSON.' }),
  ...(description.length === 0 ? {} : { description: description.join(' ') }),
});

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
export const nullForm = (): JsonSchema =>
  only(AS_NULL, { type: 'null', description: 'The value null itself.' });

interface Restoring {
  /** Null stands for a field that is left out. */
  readonly nullIsAbsent: boolean;
}

/** The tool's own input of what a model gave in a dialect. */
export const restoreArguments = (input: unknown, dialect: Dialect | 'wire'): unknown =>
  dialect === 'wire' || dialect === 'gemini'
    ? input
    : restoreInput(input, { nullIsAbsent: dialect === 'openai-strict' });

/** What cannot be read is left as it is, for the service to refuse. */
function restoreInput(value: unknown, restoring: Restoring): unknown {
  if (Array.isArray(value)) return value.map((item) => restoreInput(item, restoring));
  if (!isJsonObject(value)) return value;
  const [[key, inner] = ['', undefined], ...others] = Object.entries(value);
  if (others.length === 0) {
    if (key === AS_NULL) return null;
    if (key === AS_JSON) return typeof inner === 'string' ? parsed(inner) : value;
    if (key === AS_ENTRIES && Array.isArray(inner)) return restoreEntries(inner, restoring);
  }
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null || !restoring.nullIsAbsent)
      .map(([name, member]) => [name, restoreInput(member, restoring)]),
  );
}

const restoreEntries = (entries: readonly unknown[], restoring: Restoring): unknown =>
  Object.fromEntries(
    entries
      .filter((entry) => isJsonObject(entry))
      .map(({ name, value }) => [String(name), restoreInput(value, restoring)]),
  );

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
