export { type Cost, type Dialect, LIMITS, type Limits } from './dialects/limits.js';
export { dialectProblems } from './dialects/lint.js';
export { restoreArguments } from './dialects/restore-arguments.js';
export { type DialectInput, toDialect } from './dialects/to-dialect.js';
export { wireInput, wireOutput } from './dialects/wire.js';
