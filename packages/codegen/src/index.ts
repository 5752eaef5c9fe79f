export { applyDrift, compareFiles, type Drift } from './compare-files.js';
export { type FileTexts, type GenerateOptions, generate } from './generate.js';
export { type CommandResult, runCommand } from './run-command.js';
