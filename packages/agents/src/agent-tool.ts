import type { DryRunResult, ToolNamed } from '@svc/core';
import type { Cost, JsonSchema, ToolSchema } from './tool-schema.js';

/** A tool that a model may call, bound to the accounts that it acts for. */
export interface AgentTool<Name extends string = string> {
  readonly name: Name;
  readonly title: string;
  readonly description: string;
  readonly hints: ToolSchema['hints'];
  /** JSON Schema of the arguments. */
  readonly inputSchema: JsonSchema;
  /** True if the vendor's model must follow the schema exactly. */
  readonly isStrict: boolean;
  readonly cost: Cost | undefined;
  /** A person has to agree before it runs. */
  readonly needsApproval: boolean;
  /** Runs the tool with what a model gave, and gives the tool's data. Throws `ToolFailure`, or the signal's reason. */
  run(input: unknown, options?: RunOptions): Promise<ToolNamed<Name>['output']>;
  /**
   * Resolves to the requests that `run` would send to the upstream, for a person to review. Changes nothing; fails as `run` does.
   */
  plan(input: unknown, options?: Pick<RunOptions, 'signal'>): Promise<DryRunResult['dryRun']>;
}

/** Options of one run. */
export interface RunOptions {
  /** Ends the call; it rejects with the signal's reason. */
  readonly signal?: AbortSignal | null | undefined;
  /** The service runs one key once. Default: a new one for every run of a tool that changes something. */
  readonly idempotencyKey?: string | undefined;
}

/** Tools by their names. */
export type AgentTools<Name extends string = string> = { readonly [Each in Name]: AgentTool<Each> };
