import type { Connector } from './connector.js';
import type { BrokenRule } from './errors.js';
import type { JsonObject, JsonSchema } from './json-schema.js';
import type { WantedVersion } from './select-version.js';
import type { Tool, ToolVersion } from './tool.js';

/** Tool call as a caller makes it, before a version is selected and the input is validated. */
export interface ToolCall extends WantedVersion {
  readonly toolInput: unknown;
}

/**
 * Tool call that is ready to run: the selected tool version, and the validated input with defaults. The input no longer
 * contains `schema_version` and `tool_version`.
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
   * Selects the current version of a tool if `wanted` is absent. If `wanted` has one field, selects the newest version
   * that matches it. Otherwise selects exactly the requested pair of `schema_version` and `tool_version`. Throws
   * `UnknownVersionError`.
   */
  selectVersion(tool: Tool, wanted?: WantedVersion): ToolVersion;
  /**
   * Returns a copy of a tool input with defaults filled in. Throws `InvalidInputError`, which lists the broken rules.
   */
  validateInput(tool: Tool, version: ToolVersion, input: unknown): { readonly input: JsonObject };
  /** Selects the tool version and validates the input. Throws `UnknownVersionError` or `InvalidInputError`. */
  resolveCall(tool: Tool, call: ToolCall): ResolvedCall;
  /** Compiles a schema of a tool version now instead of at its first use. Throws when the schema is invalid. */
  compile(tool: Tool, version: ToolVersion, part: 'input' | 'output'): void;
  /**
   * Validates a tool's result data with its output schema. Returns the broken rules, each with the path of the value.
   */
  outputProblems(tool: Tool, version: ToolVersion, data: unknown): readonly BrokenRule[];
  /**
   * Returns a tool's input schema for models, without references to other files. Includes the inputs that select a
   * version, and describes rules across fields in words.
   */
  inputSchemaOf(tool: Tool, version: ToolVersion): JsonSchema;
  /** Returns a tool's output schema without references to other files. */
  outputSchemaOf(tool: Tool, version: ToolVersion): JsonSchema | boolean;
  /** Returns the schema of a webhook's payload without references to other files. Throws for an unknown trigger. */
  payloadSchemaOf(connectorId: string, trigger: string): JsonSchema;
  /** Validates a webhook payload with its schema. Returns the broken rules, each with the path of the value. */
  payloadProblems(connectorId: string, trigger: string, data: unknown): readonly BrokenRule[];
  /** Returns a tool's input schema as in the tool file, but without references to other files. */
  plainInputSchemaOf(tool: Tool, version: ToolVersion): JsonSchema;
}
