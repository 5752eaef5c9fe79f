import type { Ajv2020 } from 'ajv/dist/2020.js';
import { brokenRules } from './broken-rules.js';
import type { Ajvs, ValidateFunction } from './create-ajvs.js';
import type { BrokenRule } from './errors.js';
import type { JsonSchema } from './json-schema.js';
import type { ExamineBranch } from './reduce-unions.js';

/** Validates a value and writes defaults into it; gives the rules that it breaks. */
export type Validator = (value: unknown) => readonly BrokenRule[];

// Collecting every error takes ajv quadratic time, so of a value with more parts than this only the first error is told.
const MAX_PARTS = 5000;

/** Compiles a self-contained schema; `subject` is what messages call the whole value. */
export function createValidator(
  { first, all }: Ajvs,
  schema: JsonSchema | boolean,
  subject: string,
): Validator {
  const isValid = first.compile(schema);
  const firstRule = lazy(() => createExplainer(first, schema, subject));
  const allRules = lazy(() => createExplainer(all, schema, subject));
  return (value) => {
    if (isValid(value)) return [];
    return countParts(value) > MAX_PARTS ? firstRule()(value) : allRules()(value);
  };
}

function createExplainer(ajv: Ajv2020, schema: JsonSchema | boolean, subject: string): Validator {
  const validate = ajv.compile(schema);
  const branches = new WeakMap<JsonSchema, ValidateFunction>();
  const shared = typeof schema === 'boolean' || schema.$defs === undefined ? {} : { $defs: schema.$defs };

  const examine: ExamineBranch = (branch, data, instancePath) => {
    const compiled = branches.get(branch) ?? ajv.compile({ ...branch, ...shared });
    branches.set(branch, compiled);
    compiled(data, {
      instancePath,
      parentData: {},
      parentDataProperty: '',
      rootData: {},
      dynamicAnchors: {},
    });
    return compiled.errors ?? [];
  };

  return (value) => (validate(value) ? [] : brokenRules(validate.errors ?? [], examine, subject));
}

function lazy<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function countParts(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, part) => sum + countParts(part), 1);
}
