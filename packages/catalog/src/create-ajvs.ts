import { createRequire } from 'node:module';
import type { SchemaValidateFunction } from 'ajv';
import type { Ajv2020, ErrorObject, Options, ValidateFunction } from 'ajv/dist/2020.js';
import { mapChildSchemas } from './child-schemas.js';
import type { Connector } from './connector.js';
import { FORMATS } from './formats.js';
import type { JsonSchema } from './json-schema.js';
import { CROSS_FIELD_RULES, findBreaches } from './keywords.js';
import { lazy } from './lazy.js';

export type { ErrorObject, ValidateFunction };

/** Two of a kind: one stops at the first error, one collects all of them. */
export interface Ajvs {
  readonly first: Ajv2020;
  readonly all: Ajv2020;
}

/** Made in less than half the time, and hardly slower. What the build makes is optimized. */
const WHEN_NEEDED: Options = { code: { optimize: false }, inlineRefs: false };

const require = createRequire(import.meta.url);

/** Ajvs of draft 2020-12 that know the catalogue's keywords and formats, each loaded and made when it is first used. */
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

/** Defaults are written into what it validates. */
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

/** The formats of the standard and the catalogue's own, loaded when they are first used. */
export const allFormats = lazy((): Readonly<Record<string, unknown>> => {
  const standard: typeof import('ajv-formats/dist/formats.js') = require('ajv-formats/dist/formats.js');
  return { ...standard.fullFormats, ...FORMATS };
});

/** The catalogue's keywords, each as the function that ajv calls for it. */
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
 * Makes shapes that the tools of a connector share known to ajv, so that it compiles each once and not once for every schema
 * that refers to it. Gives schemas whose references lead there.
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
