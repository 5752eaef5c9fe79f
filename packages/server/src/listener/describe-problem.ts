import { cutText } from '@svc/catalog';
import { wordsOfPattern } from '../text/text-forms.js';

/** Error of ajv for a request that does not match its schema. */
export interface SchemaProblem {
  readonly instancePath: string;
  readonly keyword: string;
  readonly message?: string;
  /** Name of the property whose name broke a rule of `propertyNames`. */
  readonly propertyName?: string;
  readonly params: Readonly<Record<string, unknown>>;
}

const MAX_QUOTED_CHARACTERS = 120;

/** Shortens text from the caller that an error message quotes. */
export const cut = (text: string): string => cutText(text, MAX_QUOTED_CHARACTERS);

type Params = SchemaProblem['params'];

const count = (number: unknown, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;

const withArticle = (type: string): string =>
  type === 'null' ? 'null' : `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;

const typesIn = ({ type }: Params): string => [type].flat().map(String).map(withArticle).join(' or ');

const valuesIn = ({ allowedValues }: Params): string =>
  [allowedValues]
    .flat()
    .map((value) => JSON.stringify(value))
    .join(', ');

/** Messages by schema keyword. Each continues a sentence that begins with the name of the field. */
const PROBLEMS: Readonly<Record<string, (params: Params) => string | undefined>> = {
  additionalProperties: () => 'is not a known field: correct its name, or omit it',
  required: () => 'is missing',
  pattern: ({ pattern }) => wordsOfPattern(pattern),
  type: (params) => `must be ${typesIn(params)}`,
  enum: (params) => `must be one of ${valuesIn(params)}`,
  const: ({ allowedValue }) => `must be ${JSON.stringify(allowedValue)}`,
  minimum: ({ limit }) => `must be at least ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
  minLength: ({ limit }) => `must have at least ${count(limit, 'character')}`,
  maxLength: ({ limit }) => `must have at most ${count(limit, 'character')}`,
  minItems: ({ limit }) => `must have at least ${count(limit, 'item')}`,
  maxItems: ({ limit }) => `must have at most ${count(limit, 'item')}`,
  minProperties: ({ limit }) => `must have at least ${count(limit, 'field')}`,
  maxProperties: ({ limit }) => `must have at most ${count(limit, 'field')}`,
  // The error of `anyOf` follows the errors of its alternatives.
  anyOf: () => 'needs to meet only one of these rules',
  uniqueItems: ({ i, j }) => `must not repeat an item, but items ${j} and ${i} are equal`,
};

/** Field, rule and message of a broken rule, for the details of the error. */
export interface DescribedProblem {
  readonly field: string;
  readonly rule: string;
  readonly message: string;
}

/** Returns the field and a message for an error of ajv. */
export function describeProblem(problem: SchemaProblem): DescribedProblem {
  const { propertyName, params, keyword } = problem;
  const property = propertyName ?? params['additionalProperty'] ?? params['missingProperty'];
  const path = cut(problem.instancePath).split('/').slice(1);
  const field = cut([...path, ...(property === undefined ? [] : [cut(String(property))])].join('.'));
  const message = PROBLEMS[keyword]?.(params) ?? problem.message ?? 'is not valid';
  const named = propertyName === undefined ? message : `has a name that is not allowed: it ${message}`;
  return { field, rule: keyword, message: named };
}
