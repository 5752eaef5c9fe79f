import type { Ajvs } from './create-ajvs.js';
import { createValidator, type Validator } from './create-validator.js';
import type { JsonSchema } from './json-schema.js';
import type { Precompiled } from './precompiled.js';
import { ruledInput } from './ruled-input.js';

interface InputOptions {
  /** What messages call the whole input. */
  readonly subject: string;
  readonly precompiled: Precompiled | undefined;
}

/** A validator of inputs, compiled unless it was already. */
export const createInputValidator = (ajvs: Ajvs, schema: JsonSchema, options: InputOptions): Validator =>
  ruledInput(schema, (plain) => createValidator(ajvs, plain, options));
