import { createRequire } from 'node:module';
import type { SchemaValidateFunction } from 'ajv';
import type { Ajv2020, ErrorObject, Options, ValidateFunction } from 'ajv/dist/2020.js';
import { mapChildSchemas } from '../child-schemas.js';
import type { Connector } from '../connector.js';
import { FORMATS } from '../formats.js';
import type { JsonSchema } from '../json-schema.js';
import { CROSS_FIELD_RULES, findBreaches } from './keywords.js';
import { lazy } from './lazy.js';

export type { ErrorObject, ValidateFunction };

/**
 * Two ajv (JSON Schema validator) instances: `first` stops at the first error of a value, `all` collects every error.
 */
export interface Ajvs {
  readonly first: Ajv2020;
  readonly all: Ajv2020;
}

/**
 * Ajv options for schemas that are compiled at run time. Unoptimized validators compile in less than half the time
 * and run hardly slower. The build optimizes its validators.
 */
const WHEN_NEEDED: Options = { code: { optimize: false }, inlineRefs: false };

const require = createRequire(import.meta.url);

/**
 * Creates ajv instances for JSON Schema 2020-12 with the catalogue's keywords and formats. Each instance is created
 * at its first use, because loading ajv takes time.
 */
export function createAjvs(rules: ObjectRules): Ajvs {
  const first = lazy(() => createAjv(rules, { ...WHEN_NEEDED, allErrors: false }));
  const all = lazy(() => createAjv(rules, { ...WHEN_NEEDED, allErrors: true }));
  return {
    get first() {
      return first();
    },
    get all() {
      return all();
    },
  };
}

/** Creates an ajv instance whose validators write the defaults of the schema into the value. */
export function createAjv(rules: ObjectRules, options: Options): Ajv2020 {
  const ajv2020: typeof import('ajv/dist/2020.js') = require('ajv/dist/2020.js');
  const formats: typeof import('ajv-formats') = require('ajv-formats');
  const ajv = new ajv2020.Ajv2020({
    useDefaults: true,
    verbose: true,
    strictTypes: false,
    allowUnionTypes: true,
    ...options,
  });
  formats.default(ajv);
  for (const [name, validate] of Object.entries(FORMATS)) ajv.addFormat(name, validate);
  for (const [keyword, validate] of Object.entries(rules))
    ajv.addKeyword({ keyword, type: 'object', errors: 'full', validate });
  return ajv;
}

/** String formats of JSON Schema (from ajv-formats) and of the catalogue. Loaded at the first use. */
export const allFormats = lazy((): Readonly<Record<string, unknown>> => {
  const standard: typeof import('ajv-formats/dist/formats.js') = require('ajv-formats/dist/formats.js');
  return { ...standard.fullFormats, ...FORMATS };
});

/**
 * Keywords of the catalogue for rules across fields, such as `exactlyOneOf`. Each has the function that ajv calls to
 * check it.
 */
export type ObjectRules = Readonly<Record<string, SchemaValidateFunction>>;

export function createObjectRules(now: () => Date): ObjectRules {
  const keywords = Object.keys(CROSS_FIELD_RULES);
  return Object.fromEntries(keywords.map((keyword) => [keyword, objectRule(keyword, now)]));
}

function objectRule(keyword: string, now: () => Date): SchemaValidateFunction {
  const validate: SchemaValidateFunction = (_value, value, schema = {}, context) => {
    const breaches = findBreaches(keyword, { schema, value, pointer: context?.instancePath ?? '', now });
    validate.errors = breaches.map(({ property, message }) => ({ keyword, message, params: { property } }));
    return breaches.length === 0;
  };
  return validate;
}

const LOCAL = '#/$defs/';

/**
 * Registers the shared schemas of a connector (`types.json`) with ajv, so that ajv compiles each only once. The
 * returned function makes the `$ref` references of a tool's schema point to these registered schemas.
 */
export function createLinkShapes(connectors: ReadonlyMap<string, Connector>, ajvs: Ajvs) {
  const known = new Set<string>();
  return (schema: JsonSchema, connectorId: string): JsonSchema => {
    if (schema.$defs === undefined) return schema;
    if (!known.has(connectorId)) {
      known.add(connectorId);
      const types = connectors.get(connectorId)?.types ?? {};
      for (const ajv of [ajvs.first, ajvs.all]) addShapes(ajv, types, connectorId);
    }
    const { $defs: _, ...rest } = schema;
    return link(rest, connectorId);
  };
}

function addShapes(ajv: Ajv2020, types: Connector['types'], connectorId: string): void {
  for (const [name, shape] of Object.entries(types))
    ajv.addSchema({ ...link(shape, connectorId), $id: idOf(connectorId, name) });
}

const idOf = (connectorId: string, name: string): string => `shapes:${connectorId}:${name}`;

function link(schema: JsonSchema, connectorId: string): JsonSchema {
  const linked = mapChildSchemas(schema, (child) => link(child, connectorId));
  const { $ref } = linked;
  return $ref?.startsWith(LOCAL) ? { ...linked, $ref: idOf(connectorId, $ref.slice(LOCAL.length)) } : linked;
}
