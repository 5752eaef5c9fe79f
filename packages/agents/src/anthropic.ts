import type { AgentTool, AgentTools } from './agent-tool.js';
import { type ApprovalOptions, runApproved, textOf } from './run-approved.js';
import { type Budget, spendStrict } from './spend-strict.js';

/** Tool in the format of the tool runner in Anthropic's SDK. */
export interface AnthropicTool {
  name: string;
  description: string;
  input_schema: { type: 'object'; [keyword: string]: unknown };
  strict?: true;
  run(input: unknown, context?: { readonly signal?: AbortSignal | null | undefined }): Promise<string>;
  parse(input: unknown): unknown;
}

/** Options for the tools that one model request of the Anthropic SDK gets. */
export interface AnthropicOptions extends ApprovalOptions {
  /**
   * Anthropic limits the number of tools with `strict: true` in one model request. `budget` is the part of these limits
   * that these tools may use. Set it if the request has other strict tools too. Default: the whole limits.
   */
  readonly budget?: Budget | undefined;
}

/**
 * Converts tools for `client.beta.messages.toolRunner`. With `schemas/anthropic-strict`, as many tools get `strict:
 * true` as one request allows, destructive ones first. The model receives failures as results with `is_error`.
 */
export function anthropicTools(
  tools: AgentTools,
  { approve, budget }: AnthropicOptions = {},
): AnthropicTool[] {
  const all = Object.values(tools);
  const strict = spendStrict(
    all.filter(({ isStrict }) => isStrict),
    budget,
  );
  return all.map((tool) => ({
    ...anthropicTool(tool, { approve }),
    ...(strict.has(tool.name) && { strict: true }),
  }));
}

const anthropicTool = (tool: AgentTool, options: ApprovalOptions): AnthropicTool => ({
  name: tool.name,
  description: tool.description,
  input_schema: { ...tool.inputSchema, type: 'object' },
  run: async (input, context) =>
    textOf(await runApproved(tool, input, { ...options, signal: context?.signal })),
  parse: (input) => input,
});
