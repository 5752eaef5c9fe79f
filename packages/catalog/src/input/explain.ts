import { closestName } from '../closest-name.js';
import type { BrokenRule } from '../errors.js';
import { FORMAT_EXAMPLES, formatAdvice } from '../formats.js';
import { isJsonObject, type JsonSchema, kindOf } from '../json-schema.js';
import type { ErrorObject } from './create-ajvs.js';
import { cut, memberPath, pathOf, quote } from './field-path.js';
import { CROSS_FIELD_RULES, joinWords } from './keywords.js';
import { type ExamineBranch, reduceUnions } from './reduce-unions.js';

/** Maximum number of broken rules that one error lists. A million wrong items of an array are one mistake. */
const MAX_RULES = 20;

/** Options of the conversion of ajv's errors to messages. */
export interface ExplainOptions {
  readonly examine: ExamineBranch;
  /** Name of the whole value in the messages, such as "the input". */
  readonly subject: string;
  /**
   * Returns words that follow the name of a field, such as "must begin with a letter". If it is
   * absent or returns undefined, the message contains the pattern.
   */
  readonly wordsOfPattern?: (pattern: string) => string | undefined;
}

/** Converts ajv's errors to messages, one for each broken rule. The errors must have their schema and their data. */
export function brokenRules(errors: readonly ErrorObject[], options: ExplainOptions): readonly BrokenRule[] {
  const rules = new Map<string, BrokenRule>();
  for (const error of reduceUnions(errors.filter(isDistinct), options.examine)) {
    const rule = explain(error, options);
    rules.set(`${rule.field} ${rule.rule} ${rule.message}`, rule);
    if (rules.size === MAX_RULES) break;
  }
  return [...rules.values()];
}

/**
 * Returns false for an ajv error that repeats another one. An `if` error repeats that of `then` or `else`. Errors
 * inside `propertyNames` repeat the keyword's own error.
 */
function isDistinct(error: ErrorObject): boolean {
  return error.keyword !== 'if' && error.propertyName === undefined;
}

/** Converts one ajv error to a broken rule. */
function explain(error: ErrorObject, options: ExplainOptions): BrokenRule {
  const member = memberOf(error);
  const path = pathOf(error.instancePath);
  const field = cut(member === undefined ? path : memberPath(path, member));
  const received = receivedKind(error, member);
  const name = field === '' ? options.subject : quote(field);
  const message = patternWording(error, name, options) ?? wording(error, name) + reason(error);
  return { field, rule: error.keyword, message, ...(received === undefined ? {} : { received }) };
}

/**
 * Returns the name of the property that an ajv error concerns, such as a missing one. Undefined if the error concerns
 * the whole value.
 */
function memberOf({ params }: ErrorObject): string | undefined {
  const { missingProperty, additionalProperty, unevaluatedProperty, property } = params;
  const name: unknown = missingProperty ?? additionalProperty ?? unevaluatedProperty ?? property;
  return typeof name === 'string' ? name : undefined;
}

/**
 * Keywords for rules across several fields. Their errors do not report the kind of the received value, because no
 * single value is wrong.
 */
const OF_SEVERAL = ['exactlyOneOf', 'atMostOneOf', 'atLeastOneOf'];

function receivedKind({ keyword, data }: ErrorObject, member: string | undefined): string | undefined {
  if (OF_SEVERAL.includes(keyword)) return undefined;
  if (member === undefined) return kindOf(data);
  return isJsonObject(data) && Object.hasOwn(data, member) ? kindOf(data[member]) : undefined;
}

/** Returns the message for a broken pattern that has words. */
function patternWording(
  { keyword, schema, params }: ErrorObject,
  name: string,
  { wordsOfPattern }: ExplainOptions,
): string | undefined {
  if (keyword === 'pattern') {
    const words = wordsOfPattern?.(String(schema));
    return words && `${name} ${words}`;
  }
  const pattern = keyword === 'propertyNames' && isJsonObject(schema) ? schema['pattern'] : undefined;
  const words = typeof pattern === 'string' ? wordsOfPattern?.(pattern) : undefined;
  return words && `${name} has a field ${quote(String(params['propertyName']))}, whose name ${words}`;
}

function wording(error: ErrorObject, name: string): string {
  const { keyword, message } = error;
  // Messages of rules across fields already contain the names of the fields.
  if (Object.hasOwn(CROSS_FIELD_RULES, keyword)) return message ?? keyword;
  return WORDINGS[keyword]?.(error, name) ?? `${name} ${message ?? `breaks the rule ${keyword}`}`;
}

/**
 * Keywords whose error messages quote the schema's description, because they explain little alone. `required` is
 * quoted only in a schema without `type`, such as a condition.
 */
const TERSE = ['pattern', 'const', 'required'];

/** Returns whether the message of this keyword quotes the schema's description. */
export const quotesDescription = (keyword: string, { type }: JsonSchema): boolean =>
  TERSE.includes(keyword) && (keyword !== 'required' || type === undefined);

/**
 * Returns the schema's description in parentheses if the message of this keyword quotes it, otherwise an empty text.
 */
function reason({ keyword, parentSchema = {} }: ErrorObject): string {
  const { description } = parentSchema;
  const isQuoted = quotesDescription(keyword, parentSchema) && typeof description === 'string';
  return isQuoted ? ` (${description.replace(/\.$/, '')})` : '';
}

type Wording = (error: ErrorObject, name: string) => string;

function required({ params, parentSchema }: ErrorObject, name: string): string {
  const properties: unknown = parentSchema?.['properties'];
  const schema = isJsonObject(properties) ? properties[String(params['missingProperty'])] : undefined;
  const wanted = isJsonObject(schema) ? wantedValue(schema) : '';
  return wanted === '' ? `${name} is required` : `${name} is required: give ${wanted}`;
}

/** Describes the values that a schema accepts: its list of values, else its format, else its type. */
function wantedValue({ enum: values, format, type }: JsonSchema): string {
  if (Array.isArray(values)) return `one of ${listed(values)}`;
  return FORMAT_EXAMPLES[String(format)] ?? typeNames(type);
}

const knownNames = ({ parentSchema }: ErrorObject): readonly string[] => {
  const { properties = {} }: JsonSchema = parentSchema ?? {};
  return Object.keys(properties);
};

function unknownProperty(error: ErrorObject, name: string): string {
  const { additionalProperty, unevaluatedProperty } = error.params;
  const names = knownNames(error);
  const closest = closestName(String(additionalProperty ?? unevaluatedProperty), names);
  if (closest !== undefined) return `${name} is not a known field; did you mean "${closest}"?`;
  return `${name} is not a known field; ${names.length === 0 ? 'remove it' : `known fields: ${listed(names)}`}`;
}

function fieldCount(bound: 'least' | 'most'): Wording {
  return (error, name) => {
    const names = knownNames(error);
    const known = names.length === 0 ? '' : `; known fields: ${listed(names)}`;
    return `${name} must have at ${bound} ${count(Number(error.params['limit']), 'field')}${known}`;
  };
}

function limit(text: (bound: number) => string): Wording {
  return ({ params }, name) => `${name} must ${text(Number(params['limit']))}`;
}

/**
 * Returns the kind of the given value, for the end of a sentence. A number with a fraction is named, because an integer
 * is a number too.
 */
function givenKind(data: unknown, types: unknown): string {
  if (data === undefined) return 'no value';
  const isFraction = typeof data === 'number' && [types].flat().includes('integer');
  return isFraction ? 'a number with a fraction' : withArticle(kindOf(data));
}

const WORDINGS: Readonly<Record<string, Wording>> = {
  required,
  dependentRequired: required,
  additionalProperties: unknownProperty,
  unevaluatedProperties: unknownProperty,
  type: ({ params, data }, name) =>
    `${name} must be ${typeNames(params['type'])}, but ${givenKind(data, params['type'])} was given`,
  enum: ({ params }, name) => `${name} must be one of ${listed(params['allowedValues'])}`,
  const: ({ params }, name) => `${name} must be ${JSON.stringify(params['allowedValue'])}`,
  format: ({ params, data }, name) => `${name} must be ${formatAdvice(params['format'], data)}`,
  pattern: ({ params }, name) => `${name} must match the pattern ${params['pattern']}`,
  minimum: limit((bound) => `be at least ${bound}`),
  maximum: limit((bound) => `be at most ${bound}`),
  exclusiveMinimum: limit((bound) => `be greater than ${bound}`),
  exclusiveMaximum: limit((bound) => `be less than ${bound}`),
  multipleOf: ({ params }, name) => `${name} must be a multiple of ${params['multipleOf']}`,
  minLength: limit((bound) => `have at least ${count(bound, 'character')}`),
  maxLength: limit((bound) => `have at most ${count(bound, 'character')}`),
  minItems: limit((bound) => `have at least ${count(bound, 'item')}`),
  maxItems: limit((bound) => `have at most ${count(bound, 'item')}`),
  minProperties: fieldCount('least'),
  maxProperties: fieldCount('most'),
  uniqueItems: ({ params }, name) =>
    `${name} must not repeat an item; items ${params['j']} and ${params['i']} are equal`,
  oneOf: (_error, name) =>
    `${name} matches several of the alternatives in "oneOf" of its schema, but must match exactly one`,
  anyOf: (_error, name) => `${name} must match one of the alternatives in "anyOf" of its schema`,
  propertyNames: ({ params }, name) =>
    `${name} must not have a field named ${quote(String(params['propertyName']))}`,
  not: forbidden,
};

function forbidden({ schema }: ErrorObject, name: string): string {
  const values: unknown = isJsonObject(schema) ? schema['enum'] : undefined;
  return Array.isArray(values)
    ? `${name} must not be one of ${listed(values)}`
    : `${name} must not match "not" in its schema`;
}

const MAX_LISTED = 20;

function listed(values: readonly unknown[]): string {
  const texts = values
    .slice(0, MAX_LISTED)
    .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  return values.length > MAX_LISTED
    ? `${texts.join(', ')} and ${values.length - MAX_LISTED} more`
    : joinWords(texts, 'and');
}

function typeNames(types: unknown): string {
  const names = [types].flat().filter((type) => typeof type === 'string');
  return joinWords(names.map(withArticle), 'or');
}

function withArticle(type: string): string {
  if (type === 'null') return 'null';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function count(number: number, noun: string): string {
  return number === 1 ? `1 ${noun}` : `${number} ${noun}s`;
}
