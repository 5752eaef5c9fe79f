export { restoreArguments } from './dialects/forms.js';
export { type Cost, type Dialect, LIMITS, type Limits } from './dialects/limits.js';
export { readLoosely } from './dialects/read-loosely.js';
export { type DialectInput, toDialect } from './dialects/to-dialect.js';
export { wellFormed } from './dialects/well-formed.js';
export { wireInput, wireOutput } from './dialects/wire.js';
