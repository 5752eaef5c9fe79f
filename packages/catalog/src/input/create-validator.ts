import type { Ajv2020 } from 'ajv/dist/2020.js';
import type { Precompiled } from '../built-in.js';
import type { BrokenRule } from '../errors.js';
import { definitionsOf, type JsonSchema } from '../json-schema.js';
import type { Ajvs, ValidateFunction } from './create-ajvs.js';
import { brokenRules } from './explain.js';
import { lazy } from './lazy.js';
import type { ExamineBranch } from './reduce-unions.js';

/**
 * Validates a value and fills in the schema's defaults. Returns the rules that the value breaks; empty for a valid
 * value.
 */
export type Validator = (value: unknown) => readonly BrokenRule[];

// Maximum number of nested values for which all errors are collected. A larger value gets only its first error,
// because ajv needs quadratic time to collect all.
const MAX_PARTS = 5000;

interface ValidatorOptions {
  /** Name of the validated value in error messages, such as "the input". */
  readonly subject: string;
  /** Validator that the build compiled. Absent: ajv compiles the schema. */
  readonly precompiled?: Precompiled | undefined;
}

/**
 * Creates a validator for a schema without references to other files. Compiles the schema unless `precompiled` is
 * given.
 */
export function createValidator(
  ajvs: Ajvs,
  schema: JsonSchema | boolean,
  { subject, precompiled }: ValidatorOptions,
): Validator {
  const isValid = precompiled?.isValid ?? ajvs.first.compile(schema);
  const firstRule = lazy(() => createExplainer(() => ajvs.first, schema, { subject }));
  const allRules = lazy(() => createExplainer(() => ajvs.all, schema, { subject, precompiled }));
  return (value) => {
    if (isValid(value)) return [];
    return countParts(value) > MAX_PARTS ? firstRule()(value) : allRules()(value);
  };
}

function createExplainer(
  ajv: () => Ajv2020,
  schema: JsonSchema | boolean,
  { subject, precompiled }: ValidatorOptions,
): Validator {
  const validate = precompiled?.listErrors() ?? ajv().compile(schema);
  const branches = new WeakMap<JsonSchema, ValidateFunction>();
  const shared = typeof schema === 'boolean' ? {} : definitionsOf(schema);
  const find = (branch: JsonSchema) =>
    precompiled?.branches[JSON.stringify(branch)]?.() ?? ajv().compile({ ...branch, ...shared });

  const examine: ExamineBranch = (branch, data, instancePath) => {
    const compiled = branches.get(branch) ?? find(branch);
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

  return (value) => (validate(value) ? [] : brokenRules(validate.errors ?? [], { examine, subject }));
}

function countParts(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, part) => sum + countParts(part), 1);
}
