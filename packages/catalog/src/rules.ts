export type { BrokenRule } from './errors.js';
export { FORMAT_EXAMPLES } from './formats.js';
export { type CheckInput, createCheckInput } from './input/check-input.js';
export { step } from './input/checked-value.js';
export { pathOf } from './input/field-path.js';
export { ruleSentences } from './input/input-schema.js';
export { CROSS_FIELD_RULES, joinWords } from './input/keywords.js';
export { isJsonObject, type JsonObject, type JsonSchema, keyGroupsOf, resolved } from './json-schema.js';
