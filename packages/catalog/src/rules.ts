export { brokenRules } from './broken-rules.js';
export type { ErrorObject } from './create-ajvs.js';
export type { BrokenRule } from './errors.js';
export { pathOf, quote } from './field-path.js';
export { FORMAT_EXAMPLES } from './formats.js';
export { ruleSentences } from './input-schema.js';
export { isFormat } from './is-format.js';
export {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  keyGroupsOf,
} from './json-schema.js';
export { CROSS_FIELD_RULES, joinWords } from './keywords.js';
export type { ExamineBranch } from './reduce-unions.js';
export { ruledInput } from './ruled-input.js';
