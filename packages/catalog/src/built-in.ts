import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Connector } from './connector.js';
import { allFormats, type ObjectRules, type ValidateFunction } from './create-ajvs.js';
import type { Tool, ToolVersion } from './tool.js';

const require = createRequire(import.meta.url);

/** The folder of the connectors that come with this package. */
export function builtInFolder(): string {
  return fileURLToPath(new URL('../schemas', import.meta.url));
}

/** URL of a file that the build made. */
export const builtFile = (name: string): URL => new URL(`../dist/${name}`, import.meta.url);

export const BUILT_IN = 'built-in.json';

/** The connectors that come with this package, as the build read and checked them. */
export function readBuiltIn(): readonly Connector[] {
  return JSON.parse(readFileSync(builtFile(BUILT_IN), 'utf8'));
}

/** Validator of an input schema that the build compiled with ajv, so that no start has to. */
export interface Precompiled {
  /** Stops at the first error and describes none. */
  readonly isValid: ValidateFunction;
  /** Gives the one that collects every error. */
  readonly listErrors: () => ValidateFunction;
  /** The same of each branch of each union in it, by the text of the branch. */
  readonly branches: Readonly<Record<string, () => ValidateFunction>>;
}

/** Names that the code of a precompiled file uses. */
interface Surroundings {
  readonly rules: ObjectRules;
  readonly formats: unknown;
  readonly require: NodeJS.Require;
}

type Module = (surroundings: Surroundings) => readonly Precompiled[];

export type FindPrecompiled = (tool: Tool, version: ToolVersion) => Precompiled | undefined;

/** The name of a tool's file below the folder of the build. */
export const precompiledFile = (tool: Pick<Tool, 'name'>): string => `inputs/${tool.name}.cjs`;

/** Finds what was compiled for a version of one of the tools that come with this package. */
export function createFindPrecompiled(tools: readonly Tool[], rules: ObjectRules): FindPrecompiled {
  const ours = new Set(tools);
  return (tool, version) => {
    if (!ours.has(tool)) return undefined;
    const compiled: Module = require(`../dist/${precompiledFile(tool)}`);
    return compiled({ rules, formats: allFormats(), require })[tool.versions.indexOf(version)];
  };
}
