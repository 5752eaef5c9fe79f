import type { SchemaValidateFunction } from 'ajv';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { pathOf, quote } from './field-path.js';
import { FORMATS } from './formats.js';
import { isJsonObject, type JsonSchema } from './json-schema.js';
import { CROSS_FIELD_RULES } from './keywords.js';

/** Two of a kind: one stops at the first error, one collects all of them. */
export interface Ajvs {
  readonly first: Ajv2020;
  readonly all: Ajv2020;
}

/** Ajvs of draft 2020-12 that know the catalogue's keywords and formats. Defaults are written into what they validate. */
export function createAjvs(now: () => Date): Ajvs {
  return { first: createAjv(now, false), all: createAjv(now, true) };
}

function createAjv(now: () => Date, allErrors: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors,
    useDefaults: true,
    verbose: true,
    strictTypes: false,
    allowUnionTypes: true,
  });
  formats.default(ajv);
  for (const [name, validate] of Object.entries(FORMATS)) ajv.addFormat(name, validate);
  for (const keyword of Object.keys(CROSS_FIELD_RULES)) {
    ajv.addKeyword({ keyword, type: 'object', errors: 'full', validate: crossFieldValidator(keyword, now) });
  }
  return ajv;
}

function crossFieldValidator(keyword: string, now: () => Date): SchemaValidateFunction {
  const validate: SchemaValidateFunction = (_value, object, parentSchema = {}, context) => {
    const path = context?.instancePath ?? '';
    const name = (property: string) => quote(pathOf(`${path}/${property}`));
    const schema: JsonSchema = parentSchema;
    const breaches = isJsonObject(object)
      ? (CROSS_FIELD_RULES[keyword]?.(schema, object, { name, now }) ?? [])
      : [];
    validate.errors = breaches.map(({ property, message }) => ({ keyword, message, params: { property } }));
    return breaches.length === 0;
  };
  return validate;
}

export type { ErrorObject, ValidateFunction };
