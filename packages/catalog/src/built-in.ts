import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Connector } from './connector.js';
import { allFormats, type ObjectRules, type ValidateFunction } from './input/create-ajvs.js';
import type { Tool, ToolVersion } from './tool.js';

const require = createRequire(import.meta.url);

/** Returns the folder with the JSON files of the built-in connectors. */
export function builtInFolder(): string {
  return fileURLToPath(new URL('../schemas', import.meta.url));
}

/** Returns the URL of a file that the build wrote into dist/. */
export const builtFile = (name: string): URL => new URL(`../dist/${name}`, import.meta.url);

export const BUILT_IN = 'built-in.json';

/** Reads the built-in connectors from dist/, where the build stored them after validation. */
export function readBuiltIn(): readonly Connector[] {
  return JSON.parse(readFileSync(builtFile(BUILT_IN), 'utf8'));
}

/** Input validator that the build compiled with ajv, so that the service does not compile it at start. */
export interface Precompiled {
  /** Input validator that stops at the first error and does not describe the error. */
  readonly isValid: ValidateFunction;
  /** Returns the input validator that collects every error. */
  readonly listErrors: () => ValidateFunction;
  /** Validators that collect all errors of one union branch (`anyOf`, `oneOf`), by the JSON text of the branch. */
  readonly branches: Readonly<Record<string, () => ValidateFunction>>;
}

/** Helper functions that a precompiled validator's generated code calls. */
interface Surroundings {
  readonly rules: ObjectRules;
  readonly formats: unknown;
  readonly require: NodeJS.Require;
}

type Module = (surroundings: Surroundings) => readonly Precompiled[];

export type FindPrecompiled = (tool: Tool, version: ToolVersion) => Precompiled | undefined;

/** Returns the path of a tool's precompiled validators, relative to dist/. */
export const precompiledFile = (tool: Pick<Tool, 'name'>): string => `inputs/${tool.name}.cjs`;

/** Creates the lookup of precompiled validators for the built-in tools. */
export function createFindPrecompiled(tools: readonly Tool[], rules: ObjectRules): FindPrecompiled {
  const ours = new Set(tools);
  return (tool, version) => {
    if (!ours.has(tool)) return undefined;
    const compiled: Module = require(`../dist/${precompiledFile(tool)}`);
    return compiled({ rules, formats: allFormats(), require })[tool.versions.indexOf(version)];
  };
}
