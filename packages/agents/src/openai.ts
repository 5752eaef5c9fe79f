import type { AgentTool, AgentTools, RunOptions } from './agent-tool.js';
import { type ApprovalOptions, answerOf, parseArguments, runApproved } from './run-approved.js';

/** A function tool of the Responses API. */
export interface OpenAITool {
  type: 'function';
  name: string;
  description: string;
  parameters: { [keyword: string]: unknown };
  strict: boolean;
}

/** The answer to one function call, to be sent back. */
export interface FunctionCallOutput {
  type: 'function_call_output';
  call_id: string;
  output: string;
}

/** An item of a response; others than function calls are left alone. */
export interface ResponseItem {
  readonly type: string;
  readonly name?: unknown;
  readonly arguments?: unknown;
  readonly call_id?: unknown;
}

/** The tools of a request, and what runs the calls of its response. */
export interface OpenAITools {
  tools: OpenAITool[];
  /** Runs every call of these tools, side by side, and gives the items to send back. Failures are told to the model. */
  run(output: readonly ResponseItem[], options?: OpenAIRunOptions): Promise<FunctionCallOutput[]>;
}

/** Options of a run. */
export interface OpenAIRunOptions extends ApprovalOptions, Pick<RunOptions, 'signal'> {}

/** The tools for OpenAI's Responses API. */
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
  const { text } = await answerOf(async () =>
    runApproved(tool, parseArguments(String(item.arguments)), options),
  );
  return { type: 'function_call_output', call_id: String(item.call_id), output: text };
}
