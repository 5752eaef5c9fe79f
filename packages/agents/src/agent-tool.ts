import type { DryRunResult, ToolNamed } from '@svc/core';
import type { Cost, JsonSchema, ToolSchema } from './tool-schema.js';

/** Tool that a model may call, bound to one or more connected accounts. */
export interface AgentTool<Name extends string = string> {
  /** Name of the tool, such as `calendar_create_event`. */
  readonly name: Name;
  /** Short title for people. */
  readonly title: string;
  /** Description for the model. */
  readonly description: string;
  /** Effects of the tool, such as whether it changes or deletes data. */
  readonly hints: ToolSchema['hints'];
  /** JSON Schema of the arguments that the model gives. */
  readonly inputSchema: JsonSchema;
  /** True if the model must follow the schema exactly (strict mode of the vendor). */
  readonly isStrict: boolean;
  /** Share of Anthropic's limits that the tool uses in strict mode. Undefined for schemas of other vendors. */
  readonly cost: Cost | undefined;
  /** True if a person must approve each call before it runs. */
  readonly needsApproval: boolean;
  /**
   * Returns the input with which `run` calls the tool: the model's input, converted to the types of the tool's schema.
   */
  read(input: unknown): unknown;
  /**
   * Runs the tool with the model's input, and resolves to the tool's data. Rejects with a `ToolFailure`, or with the
   * reason of an aborted signal.
   */
  run(input: unknown, options?: RunOptions): Promise<ToolNamed<Name>['output']>;
  /**
   * Resolves to the upstream requests that `run` would send, for a person to review. Sends and changes nothing. Rejects
   * with the same errors as `run`.
   */
  plan(input: unknown, options?: Pick<RunOptions, 'signal'>): Promise<DryRunResult['dryRun']>;
}

/** Options of one run of a tool. */
export interface RunOptions {
  /** Signal that aborts the call. The call then rejects with the signal's reason. */
  readonly signal?: AbortSignal | null | undefined;
  /**
   * Idempotency key: the service runs repeated calls with the same key only once. Default: a new key for each run of a
   * tool that changes data.
   */
  readonly idempotencyKey?: string | undefined;
}

/** Agent tools by tool name. */
export type AgentTools<Name extends string = string> = { readonly [Each in Name]: AgentTool<Each> };
