import {
  type BrokenRule,
  brokenRules,
  type ExamineBranch,
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  ruledInput,
} from '@svc/catalog/rules';
import { KEYWORDS } from './keywords.ts';
import type { Fault } from './place.ts';

export type CheckInput = (input: JsonObject) => readonly BrokenRule[];

/** The shape that a reference of a self-contained schema leads to, with what is said beside the reference. */
export function resolved(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const { $ref, ...beside } = schema;
  if ($ref === undefined) return schema;
  const target = root.$defs?.[$ref.replace('#/$defs/', '')];
  return target === undefined ? beside : resolved({ ...target, ...beside }, root);
}

/** Writes the defaults into a value that the service writes into it before it looks at the rules. */
function fillDefaults(schema: JsonSchema, value: unknown, root: JsonSchema): void {
  const { properties = {}, items } = resolved(schema, root);
  if (Array.isArray(value) && isJsonObject(items)) for (const item of value) fillDefaults(items, item, root);
  if (!isJsonObject(value)) return;
  for (const [name, property] of Object.entries(properties)) {
    if (value[name] === undefined && property.default !== undefined) value[name] = property.default;
    else fillDefaults(property, value[name], root);
  }
}

/**
 * Checks inputs as the service will, in the same words; what is wrong can so be told while somebody types. The service
 * has the last word.
 */
export function createCheckInput(schema: JsonSchema, now: () => Date): CheckInput {
  const faultsOf = (part: JsonSchema, value: unknown, pointer: string): readonly Fault[] => {
    const rules = resolved(part, schema);
    const place = { value, pointer, schema: rules, now, check: faultsOf };
    return Object.entries(rules).flatMap(([keyword, limit]) => KEYWORDS[keyword]?.(limit, place) ?? []);
  };
  const examine: ExamineBranch = (branch, value, pointer) => faultsOf(branch, value, pointer);
  const check = ruledInput(schema, (plain) => (input) => {
    fillDefaults(plain, input, schema);
    return brokenRules(faultsOf(plain, input, ''), examine, 'the input');
  });
  return (input) => check(structuredClone(input));
}
