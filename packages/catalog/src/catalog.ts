import type { Connector } from './connector.js';
import type { BrokenRule } from './errors.js';
import type { JsonObject, JsonSchema } from './json-schema.js';
import type { WantedVersion } from './select-version.js';
import type { Tool, ToolVersion } from './tool.js';

/** A tool call as a caller makes it. */
export interface ToolCall extends WantedVersion {
  readonly toolInput: unknown;
}

/**
 * Call that is ready to run: the chosen version, and the validated input with defaults. `schema_version` and
 * `tool_version` are removed from it.
 */
export interface ResolvedCall {
  readonly version: ToolVersion;
  readonly input: JsonObject;
}

/** All connectors and tools, with the functions that select versions and validate data. */
export interface Catalog {
  /** Connectors by id, sorted by id. */
  readonly connectors: ReadonlyMap<string, Connector>;
  /** All tools by name, sorted by name. */
  readonly tools: ReadonlyMap<string, Tool>;
  /**
   * Selects the current version, the newest one that matches the requested one, or exactly the requested pair. Throws
   * `UnknownVersionError`.
   */
  selectVersion(tool: Tool, wanted?: WantedVersion): ToolVersion;
  /** Returns a copy of the input with defaults. Throws `InvalidInputError`, which lists the broken rules. */
  validateInput(tool: Tool, version: ToolVersion, input: unknown): { readonly input: JsonObject };
  /** Selects the version and validates the input. Throws `UnknownVersionError` or `InvalidInputError`. */
  resolveCall(tool: Tool, call: ToolCall): ResolvedCall;
  /** Compiles a schema now instead of at its first use. Throws when the schema is invalid. */
  compile(tool: Tool, version: ToolVersion, part: 'input' | 'output'): void;
  /** Returns the rules of the output schema that the data breaks, each with its path. */
  outputProblems(tool: Tool, version: ToolVersion, data: unknown): readonly BrokenRule[];
  /**
   * Returns the input schema without external references, for models. It includes version inputs, and describes rules
   * across fields in words.
   */
  inputSchemaOf(tool: Tool, version: ToolVersion): JsonSchema;
  /** Returns the output schema without external references. */
  outputSchemaOf(tool: Tool, version: ToolVersion): JsonSchema | boolean;
  /** Returns the input schema without external references, otherwise unchanged. */
  plainInputSchemaOf(tool: Tool, version: ToolVersion): JsonSchema;
}
