import { childSchemas, mapChildSchemas } from '../child-schemas.js';
import { type JsonSchema, keyGroupsOf } from '../json-schema.js';
import { compareVersions } from '../select-version.js';
import type { Tool } from '../tool.js';
import { hasRules, joinWords } from './keywords.js';

/**
 * Returns a tool's input schema for a model. Descriptions state the rules across fields. Includes the inputs that
 * select a version of the tool.
 */
export function describeInput(tool: Tool, bundled: JsonSchema): JsonSchema {
  const described = describeRules(bundled);
  if (!tool.versionInputs) return described;
  return { ...described, properties: { ...described.properties, ...versionProperties(tool) } };
}

/**
 * Returns the schemas of the inputs `schema_version` and `tool_version`, with which a caller selects a version of the
 * tool.
 */
export function versionProperties(tool: Tool): Readonly<Record<string, JsonSchema>> {
  const distinct = (versions: readonly string[]) => [...new Set(versions)].sort(compareVersions);
  return {
    schema_version: {
      type: 'string',
      enum: distinct(tool.versions.map((version) => version.schema_version)),
      description:
        "Version of the tool's input and output. Default: the newest with tool_version, or the current version.",
    },
    tool_version: {
      type: 'string',
      enum: distinct(tool.versions.map((version) => version.tool_version)),
      description:
        "Version of the tool's implementation. Default: the newest with schema_version, or the current version.",
    },
  };
}

function describeRules(schema: JsonSchema): JsonSchema {
  return withSentences(mapChildSchemas(schema, describeRules), ruleSentences(schema));
}

/** Appends sentences to the description of a schema. */
export function withSentences(schema: JsonSchema, sentences: readonly string[]): JsonSchema {
  if (sentences.length === 0) return schema;
  return { ...schema, description: [schema.description ?? [], sentences].flat().join(' ') };
}

const CONSEQUENCES = ['then', 'else', 'dependentSchemas'];

/** Returns the descriptions of an object's conditions (`then`, `else`, `dependentSchemas`), each as a sentence. */
export function conditionSentences(schema: JsonSchema): readonly string[] {
  const texts = childSchemas(schema)
    .filter(({ keyword }) => CONSEQUENCES.includes(keyword))
    .flatMap(({ schema: { description, properties = {} } }) => [
      description,
      ...Object.values(properties).map((property) => property.description),
    ]);
  return [...new Set(texts.filter((text) => text !== undefined))];
}

/** Returns a sentence for each rule across the fields of an object, such as "Give exactly one of a and b." */
export function ruleSentences(schema: JsonSchema): readonly string[] {
  if (!hasRules(schema)) return [];
  const {
    namedBy = {},
    requiredWith = {},
    requiredWhen = [],
    before = [],
    notFuture = [],
    withinMonths,
  } = schema;
  return [
    ...keyGroupsOf(schema.exactlyOneOf).map((group) => `Give exactly one of ${joinWords(group, 'and')}.`),
    ...keyGroupsOf(schema.atMostOneOf).map((group) => `Give at most one of ${joinWords(group, 'and')}.`),
    ...keyGroupsOf(schema.atLeastOneOf).map((group) => `Give at least one of ${joinWords(group, 'and')}.`),
    ...Object.entries(namedBy).map(
      ([name, fields]) =>
        `When ${name} is ${joinWords(fields, 'or')}, the field of that name must be present.`,
    ),
    ...Object.entries(requiredWith).map(
      ([name, needed]) => `When ${name} is given, give ${joinWords(needed, 'and')} too.`,
    ),
    ...requiredWhen.map(
      ({ property, equals, required }) =>
        `When ${property} is ${JSON.stringify(equals)}, give ${joinWords(required, 'and')}.`,
    ),
    ...before.map(([first, second]) => `${first} must be earlier than ${second}.`),
    ...notFuture.map((name) => `${name} must not be in the future.`),
    ...(withinMonths?.of ?? []).map(
      ([first, second]) => `${first} and ${second} must be less than ${withinMonths?.months} months apart.`,
    ),
  ];
}
