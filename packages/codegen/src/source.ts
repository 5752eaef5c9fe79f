export { methodName } from './names.js';
export { type Layout, typescriptLiteral } from './typescript-literal.js';
