import type { IsFormat } from '../formats.js';
import { cloneJson, isJsonObject, type JsonSchema, resolved } from '../json-schema.js';
import type { Check, Fault } from './checked-value.js';
import type { Validator } from './create-validator.js';
import { brokenRules } from './explain.js';
import { DEPENDENTS, PARTS, RULES, UNIONS } from './part-checks.js';
import { LIMITS, REPEATS, VALUES } from './value-checks.js';

/** Fills in a schema's defaults before its rules are checked, as a validator compiled by ajv does. */
function fillDefaults(schema: JsonSchema, value: unknown, root: JsonSchema): void {
  if (typeof value !== 'object') return;
  const { properties = {}, items } = resolved(schema, root);
  if (Array.isArray(value) && isJsonObject(items)) for (const item of value) fillDefaults(items, item, root);
  if (!isJsonObject(value)) return;
  for (const [name, property] of Object.entries(properties)) {
    if (value[name] === undefined && property.default !== undefined)
      value[name] = cloneJson(property.default);
    else fillDefaults(property, value[name], root);
  }
}

/**
 * Functions that validate a value against one JSON Schema keyword each, by keyword, without ajv. The order is that in
 * which ajv evaluates the keywords.
 */
export const CHECKS: Readonly<Record<string, Check>> = {
  ...VALUES,
  ...UNIONS,
  ...LIMITS,
  ...PARTS,
  ...REPEATS,
  ...DEPENDENTS,
  ...RULES,
};

/**
 * Function that validates a value against each JSON Schema keyword, and the keyword's position in ajv's order. Errors
 * are sorted by this position.
 */
const CHECK_OF = new Map(
  Object.entries(CHECKS).map(([keyword, check], position) => [keyword, { check, position }]),
);

/** Options of a validator that interprets a JSON Schema instead of compiling it. */
export interface InterpretOptions {
  /** Name of the validated value in error messages, such as "the input". */
  readonly subject: string;
  readonly now: () => Date;
  readonly isFormat: IsFormat;
}

/**
 * Creates a validator that interprets a JSON Schema instead of compiling it with ajv. Each validation is slower, but
 * the first starts at once.
 */
export function interpret(schema: JsonSchema, { subject, ...options }: InterpretOptions): Validator {
  const faultsOf = (rules: JsonSchema, value: unknown, pointer: string): readonly Fault[] => {
    const node = { value, pointer, schema: rules, root: schema, ...options, check: faultsOf };
    const broken: { readonly position: number; readonly faults: readonly Fault[] }[] = [];
    for (const keyword of Object.keys(rules)) {
      const entry = CHECK_OF.get(keyword);
      if (entry === undefined || rules[keyword] === undefined) continue;
      const faults = entry.check(rules[keyword], node);
      if (faults.length > 0) broken.push({ position: entry.position, faults });
    }
    return broken.sort((a, b) => a.position - b.position).flatMap(({ faults }) => faults);
  };
  return (value) => {
    fillDefaults(schema, value, schema);
    return brokenRules(faultsOf(schema, value, ''), { examine: faultsOf, subject });
  };
}
