import type { AgentTool, AgentTools, RunOptions } from './agent-tool.js';
import { type ApprovalOptions, modelOutput, parseArguments, runApproved } from './run-approved.js';

/** Function tool of OpenAI's Responses API. */
export interface OpenAITool {
  type: 'function';
  name: string;
  description: string;
  parameters: { [keyword: string]: unknown };
  strict: boolean;
}

/** Result of one function call, to be sent in the next request. */
export interface FunctionCallOutput {
  type: 'function_call_output';
  call_id: string;
  output: string;
}

/** Item of a response. Items other than function calls are ignored. */
export interface ResponseItem {
  readonly type: string;
  readonly name?: unknown;
  readonly arguments?: unknown;
  readonly call_id?: unknown;
}

/** Tools for a request, and the function that runs the calls in its response. */
export interface OpenAITools {
  tools: OpenAITool[];
  /**
   * Runs all calls of these tools concurrently, and resolves to the items for the next request. The model receives
   * failures as the output of the call.
   */
  run(output: readonly ResponseItem[], options?: OpenAIRunOptions): Promise<FunctionCallOutput[]>;
}

/** Options for running the calls of a response. */
export interface OpenAIRunOptions extends ApprovalOptions, Pick<RunOptions, 'signal'> {}

/** Converts tools for OpenAI's Responses API. */
export function openaiTools(tools: AgentTools): OpenAITools {
  const byName = new Map(Object.entries(tools));
  return {
    tools: [...byName.values()].map(({ name, description, inputSchema, isStrict }) => ({
      type: 'function',
      name,
      description,
      parameters: { ...inputSchema },
      strict: isStrict,
    })),
    run: (output, options = {}) =>
      Promise.all(
        output.flatMap((item) => {
          const tool = item.type === 'function_call' ? byName.get(String(item.name)) : undefined;
          return tool === undefined ? [] : [runCall(tool, item, options)];
        }),
      ),
  };
}

async function runCall(
  tool: AgentTool,
  item: ResponseItem,
  options: OpenAIRunOptions,
): Promise<FunctionCallOutput> {
  const { text } = await modelOutput(async () =>
    runApproved(tool, parseArguments(String(item.arguments)), options),
  );
  return { type: 'function_call_output', call_id: String(item.call_id), output: text };
}
