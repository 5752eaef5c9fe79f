import type { ToolNamed } from '@svc/core';
import type { AgentTool, AgentTools } from './agent-tool.js';
import { type Budget, spendStrict } from './spend-strict.js';
import type { JsonSchema } from './tool-schema.js';

/** Tool in the format of the AI SDK. */
export interface AiTool<Name extends string, Schema> {
  description: string;
  title: string;
  inputSchema: Schema;
  strict: boolean;
  execute(
    input: unknown,
    options: { readonly abortSignal?: AbortSignal | undefined },
  ): Promise<ToolNamed<Name>['output']>;
}

/** Tools and their approvals, as options for `generateText`, `streamText` and `ToolLoopAgent`. */
export interface AiTools<Name extends string, Schema> {
  tools: { [Each in Name]: AiTool<Each, Schema> };
  /** Tools that need the user's approval before they run. */
  toolApproval: { [Each in Name]?: 'user-approval' };
}

/** Options for the tools that one model request of the AI SDK gets. */
export interface AiOptions {
  /**
   * Anthropic limits the number of tools with `strict: true` in one model request. `budget` is the part of these limits
   * that the tools of this call may use. Set it if the request has other strict tools too. Default: no reduction.
   */
  readonly budget?: Budget | undefined;
}

/**
 * Converts tools for the AI SDK, with its function `jsonSchema`: `generateText({ model, ...aiTools(tools, jsonSchema),
 * prompt })`. A failed call becomes a `tool-error` whose text is the failure as JSON. If the tools come from a
 * connector's `schemas/anthropic-strict`, as many of them get `strict: true` as one request allows.
 */
export function aiTools<Name extends string, Schema>(
  tools: AgentTools<Name>,
  jsonSchema: (schema: JsonSchema) => Schema,
  { budget }: AiOptions = {},
): AiTools<Name, Schema> {
  const all: readonly AgentTool[] = Object.values(tools);
  const spent = spendStrict(all, budget);
  const made = all.map((tool) => {
    const strict = tool.isStrict && (tool.cost === undefined || spent.has(tool.name));
    return [tool.name, { ...aiTool(tool, jsonSchema), strict }];
  });
  const gated = all.filter(({ needsApproval }) => needsApproval).map(({ name }) => [name, 'user-approval']);
  return { tools: Object.fromEntries(made), toolApproval: Object.fromEntries(gated) };
}

const aiTool = <Schema>(
  { description, title, inputSchema, run }: AgentTool,
  jsonSchema: (schema: JsonSchema) => Schema,
): Omit<AiTool<string, Schema>, 'strict'> => ({
  description,
  title,
  inputSchema: jsonSchema(inputSchema),
  execute: (input, { abortSignal }) => run(input, { signal: abortSignal }),
});
