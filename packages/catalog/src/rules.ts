export { type CheckInput, createCheckInput } from './checks/check-input.js';
export { step } from './checks/checked-value.js';
export type { BrokenRule } from './errors.js';
export { pathOf } from './field-path.js';
export { FORMAT_EXAMPLES } from './formats.js';
export { ruleSentences } from './input-schema.js';
export { isJsonObject, type JsonObject, type JsonSchema, keyGroupsOf, resolved } from './json-schema.js';
export { CROSS_FIELD_RULES, joinWords } from './keywords.js';
