import { createRequire } from 'node:module';
import { allFormats } from './all-formats.js';
import type { ValidateFunction } from './create-ajvs.js';
import type { ObjectRules } from './object-rules.js';
import type { Tool, ToolVersion } from './tool.js';

/** What the build made of an input schema with ajv, so that nobody has to do it again. */
export interface Precompiled {
  /** Stops at the first error and describes none. */
  readonly isValid: ValidateFunction;
  /** Gives the one that collects every error. */
  readonly listErrors: () => ValidateFunction;
  /** The same of each branch of each union in it, by the text of the branch. */
  readonly branches: Readonly<Record<string, () => ValidateFunction>>;
}

/** What the code of a precompiled file uses. */
interface Surroundings {
  readonly rules: ObjectRules;
  readonly formats: unknown;
  readonly require: NodeJS.Require;
}

type Module = (surroundings: Surroundings) => readonly Precompiled[];

export type FindPrecompiled = (tool: Tool, version: ToolVersion) => Precompiled | undefined;

const require = createRequire(import.meta.url);

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
