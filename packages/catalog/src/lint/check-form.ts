import { NESTINGS } from '../child-schemas.js';
import { closestName } from '../closest-name.js';
import { isJsonObject } from '../json-schema.js';
import { problemOfPattern } from '../patterns/linear-pattern.js';
import { type Report, reportWithin } from './file-report.js';

const TYPES = ['string', 'integer', 'number', 'boolean', 'array', 'object', 'null'];

/** JSON Schema keywords whose value may be a boolean instead of a schema: true allows everything, false nothing. */
const OR_BOOLEAN = ['items', 'additionalProperties', 'contains', 'not', 'if', 'then', 'else'];

interface Form {
  readonly fits: (value: unknown) => boolean;
  readonly message: string;
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isListOf = (value: unknown, fits: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(fits);
const isNames = (value: unknown): boolean => isListOf(value, isText);
const isPairs = (value: unknown): boolean =>
  isListOf(value, (pair) => isNames(pair) && (pair as readonly string[]).length === 2);
const isNamesByName = (value: unknown): boolean => isJsonObject(value) && Object.values(value).every(isNames);
const groups: Form = {
  fits: (value) => Array.isArray(value) && value.length > 0 && (isNames(value) || isListOf(value, isNames)),
  message: 'the value must be a list of names, or a list of such lists',
};
const text: Form = { fits: isText, message: 'the value must be a string' };

/** JSON Schema keywords without subschemas, each with a test for allowed values and the message for other values. */
const FORMS: Readonly<Record<string, Form>> = {
  $ref: text,
  description: text,
  format: text,
  pattern: text,
  required: { fits: isNames, message: 'the value must be a list of the properties that are always present' },
  enum: {
    fits: (value) => Array.isArray(value) && value.length > 0,
    message: 'the value must be a list with at least one allowed value',
  },
  nullable: {
    fits: () => false,
    message: 'JSON Schema has no "nullable"; write the type as ["string", "null"]',
  },
  exactlyOneOf: groups,
  atMostOneOf: groups,
  atLeastOneOf: groups,
  namedBy: { fits: isNamesByName, message: 'the value must be an object such as { "type": ["a", "b"] }' },
  requiredWith: { fits: isNamesByName, message: 'the value must be an object such as { "a": ["b"] }' },
  requiredWhen: {
    fits: (value) =>
      isListOf(
        value,
        (rule) =>
          isJsonObject(rule) && isText(rule['property']) && 'equals' in rule && isNames(rule['required']),
      ),
    message: 'the value must be a list such as [{ "property": "a", "equals": "x", "required": ["b"] }]',
  },
  before: { fits: isPairs, message: 'the value must be a list of pairs such as [["from", "to"]]' },
  notFuture: { fits: isNames, message: 'the value must be a list of names' },
  withinMonths: {
    fits: (value) => isJsonObject(value) && typeof value['months'] === 'number' && isPairs(value['of']),
    message: 'the value must be an object such as { "months": 6, "of": [["from", "to"]] }',
  },
};

/** Checks whether a value is a well-formed JSON Schema, including its subschemas. Reports every problem. */
export function checkForm(schema: unknown, report: Report): boolean {
  if (!isJsonObject(schema)) {
    report([], 'a schema must be an object such as { "type": "string" }');
    return false;
  }
  const parts = Object.entries(schema).map(([keyword, value]) => {
    const within = reportWithin(report, keyword);
    if (keyword === 'type') return checkType(value, within);
    const nesting = NESTINGS.get(keyword);
    if (nesting !== undefined) return checkNested(value, { keyword, nesting }, within);
    if (keyword === 'pattern' && isText(value)) return checkPattern(value, within);
    const form = Object.hasOwn(FORMS, keyword) ? FORMS[keyword] : undefined;
    if (form === undefined || form.fits(value)) return true;
    within([], form.message);
    return false;
  });
  return parts.every(Boolean);
}

function checkType(value: unknown, report: Report): boolean {
  const wrong = [value].flat().find((type) => !isText(type) || !TYPES.includes(type));
  if (wrong === undefined && value !== undefined) return true;
  const meant = isText(wrong) ? closestName(wrong, TYPES) : undefined;
  const advice = meant === undefined ? `use one of ${TYPES.join(', ')}` : `did you mean "${meant}"?`;
  report([], `${JSON.stringify(wrong)} is not a type; ${advice}`);
  return false;
}

/**
 * Reports a regular expression that may take more than linear time, because callers and upstreams choose the texts that
 * it searches.
 */
function checkPattern(pattern: string, report: Report): boolean {
  const problem = problemOfPattern(pattern);
  if (problem !== undefined) report([], `change the pattern: it must match in linear time, but ${problem}`);
  return problem === undefined;
}

function checkNested(
  value: unknown,
  { keyword, nesting }: { readonly keyword: string; readonly nesting: string },
  report: Report,
): boolean {
  if (nesting === 'single')
    return (typeof value === 'boolean' && OR_BOOLEAN.includes(keyword)) || checkForm(value, report);
  if (nesting === 'listed' ? !Array.isArray(value) || value.length === 0 : !isJsonObject(value)) {
    report(
      [],
      nesting === 'listed'
        ? 'the value must be a list with at least one schema'
        : 'the value must be an object of schemas by name',
    );
    return false;
  }
  const children =
    nesting === 'listed' ? [...(value as unknown[]).entries()] : Object.entries(value as object);
  return children
    .map(([key, child]) => {
      const within = reportWithin(report, key);
      const isFine = keyword !== 'patternProperties' || checkPattern(String(key), within);
      return checkForm(child, within) && isFine;
    })
    .every(Boolean);
}
