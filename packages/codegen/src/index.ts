export { applyDrift, compareFiles, compareFolder, type Drift } from './compare-files.js';
export { type FileTexts, type GenerateOptions, generate } from './generate.js';
export type { CommandResult } from './help.js';
export { runCommand } from './run-command.js';
