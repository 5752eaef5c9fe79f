import type { Ajv2020 } from 'ajv/dist/2020.js';
import { brokenRules } from './broken-rules.js';
import type { ValidateFunction } from './create-ajv.js';
import type { BrokenRule } from './errors.js';
import type { JsonSchema } from './json-schema.js';
import type { ExamineBranch } from './reduce-unions.js';

/** Validates a value and writes defaults into it; gives the rules that it breaks. */
export type Validator = (value: unknown) => readonly BrokenRule[];

/** Compiles a self-contained schema. */
export function createValidator(ajv: Ajv2020, schema: JsonSchema | boolean): Validator {
  const validate = ajv.compile(schema);
  const branches = new WeakMap<JsonSchema, ValidateFunction>();
  const shared = typeof schema === 'boolean' ? undefined : schema.$defs;

  const compileBranch = (branch: JsonSchema): ValidateFunction => {
    const compiled = ajv.compile({ ...branch, ...(shared === undefined ? {} : { $defs: shared }) });
    branches.set(branch, compiled);
    return compiled;
  };

  const examine: ExamineBranch = (branch, data, instancePath) => {
    const compiled = branches.get(branch) ?? compileBranch(branch);
    compiled(data, {
      instancePath,
      parentData: {},
      parentDataProperty: '',
      rootData: {},
      dynamicAnchors: {},
    });
    return compiled.errors ?? [];
  };

  return (value) => (validate(value) ? [] : brokenRules(validate.errors ?? [], examine));
}
