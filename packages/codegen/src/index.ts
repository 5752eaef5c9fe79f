export type { CommandResult } from './command-result.js';
export { applyDrift, compareFiles, compareFolder, type Drift } from './compare-files.js';
export { type FileTexts, type GenerateOptions, generate } from './generate.js';
export { runCommand } from './run-command.js';
