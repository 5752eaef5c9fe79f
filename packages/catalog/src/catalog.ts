import type { Connector } from './connector.js';
import type { BrokenRule } from './errors.js';
import type { JsonObject, JsonSchema } from './json-schema.js';
import type { WantedVersion } from './select-version.js';
import type { Tool, ToolVersion } from './tool.js';

/** A tool call as a caller makes it. */
export interface ToolCall extends WantedVersion {
  readonly toolInput: unknown;
}

/** A call that can run: the version that was chosen, and the valid input with defaults, without version inputs. */
export interface ResolvedCall {
  readonly version: ToolVersion;
  readonly input: JsonObject;
}

/** All connectors and tools, and what can be asked about them. */
export interface Catalog {
  /** Connectors by id, sorted by id. */
  readonly connectors: ReadonlyMap<string, Connector>;
  /** The tools of all connectors by name, in the order of their names. */
  readonly tools: ReadonlyMap<string, Tool>;
  /** The current version, the newest that has what is wanted, or exactly the wanted pair. Throws `UnknownVersionError`. */
  selectVersion(tool: Tool, wanted?: WantedVersion): ToolVersion;
  /** A copy of the input with defaults. Throws `InvalidInputError` with every broken rule. */
  validateInput(tool: Tool, version: ToolVersion, input: unknown): { readonly input: JsonObject };
  /** Chooses the version and validates the input. Throws `UnknownVersionError` or `InvalidInputError`. */
  resolveCall(tool: Tool, call: ToolCall): ResolvedCall;
  /** Compiles a schema now rather than at its first use. Throws when it is not valid. */
  compile(tool: Tool, version: ToolVersion, part: 'input' | 'output'): void;
  /** Paths at which data breaks the output schema. */
  outputProblems(tool: Tool, version: ToolVersion, data: unknown): readonly BrokenRule[];
  /** Self-contained JSON Schema of the input, for models: with version inputs, and rules across fields told in words. */
  inputSchemaOf(tool: Tool, version: ToolVersion): JsonSchema;
  /** Self-contained JSON Schema of the data. */
  outputSchemaOf(tool: Tool, version: ToolVersion): JsonSchema | boolean;
  /** Self-contained JSON Schema of the input exactly as the file has it. */
  plainInputSchemaOf(tool: Tool, version: ToolVersion): JsonSchema;
}
