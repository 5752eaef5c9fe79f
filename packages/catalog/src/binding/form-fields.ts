import { InvalidInputError } from '../errors.js';
import { isJsonObject, type JsonObject } from '../json-schema.js';

const MOST_FIELDS = 1000;
const MOST_LEVELS = 8;

// Matches keys that cannot be part of a field name. Parsers of nested forms would read a key with a bracket as another
// field, and an empty key as a list item.
const NO_KEY = /^$|[[\]]/;

const refuse = (field: string, rule: string, message: string): never => {
  throw new InvalidInputError([{ field, rule, message }]);
};

/**
 * Writes the nested values of a form body as fields with brackets, such as `metadata[color]` and `items[0][price]`.
 * Throws `InvalidInputError` for a key that cannot be a field name, more than 1000 fields, or more than eight levels.
 */
export function bracketFields(body: Readonly<JsonObject>): JsonObject {
  const fields: [string, unknown][] = [];
  for (const [name, value] of Object.entries(body))
    addFields(fields, { name, value, field: name, levels: 0 });
  return Object.fromEntries(fields);
}

interface Nested {
  /** Name of the form field that contains the value, such as `items[0]`. */
  readonly name: string;
  readonly value: unknown;
  /** Name of the field in the template, for error messages. */
  readonly field: string;
  readonly levels: number;
}

function addFields(fields: [string, unknown][], { name, value, field, levels }: Nested): void {
  if (!isJsonObject(value) && !Array.isArray(value)) {
    if (fields.length >= MOST_FIELDS)
      refuse(field, 'maxProperties', `the form has more than ${MOST_FIELDS} fields; send fewer values`);
    fields.push([name, value]);
    return;
  }
  if (levels >= MOST_LEVELS)
    refuse(field, 'depth', `"${field}" is nested deeper than ${MOST_LEVELS} levels; send fewer levels`);
  for (const [key, member] of Object.entries(value)) {
    if (NO_KEY.test(key))
      refuse(field, 'propertyNames', `"${field}" has a key that is empty or contains [ or ]; rename the key`);
    addFields(fields, { name: `${name}[${key}]`, value: member, field, levels: levels + 1 });
  }
}
