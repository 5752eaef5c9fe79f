import type { AgentTool, AgentTools, RunOptions } from './agent-tool.js';
import { type ApprovalOptions, runApproved } from './run-approved.js';
import { isToolFailure, type ToolFailureData } from './tool-failure.js';
import type { JsonSchema } from './tool-schema.js';

/** Callable tool of Google GenAI's SDK. */
export interface GoogleTools {
  tool(): Promise<{ functionDeclarations: FunctionDeclaration[] }>;
  callTool(calls: FunctionCall[]): Promise<{ functionResponse: FunctionResponse }[]>;
}

interface FunctionDeclaration {
  name: string;
  description: string;
  parametersJsonSchema: JsonSchema;
}

interface FunctionCall {
  id?: string;
  name?: string;
  args?: Record<string, unknown>;
}

interface FunctionResponse {
  id?: string;
  name: string;
  response: { output: unknown } | { error: ToolFailureData };
}

/**
 * Options of all tool calls. An aborted signal aborts all of them, because the Google SDK passes no signal to a single
 * call.
 */
export interface GoogleOptions extends ApprovalOptions, Pick<RunOptions, 'signal'> {}

/**
 * Converts tools for Google GenAI: `config: { tools: [googleTools(tools)] }`. The model receives a failure as `error`.
 */
export function googleTools(tools: AgentTools, options: GoogleOptions = {}): GoogleTools {
  const byName = new Map(Object.entries(tools));
  const declarations = [...byName.values()].map(({ name, description, inputSchema }) => ({
    name,
    description,
    parametersJsonSchema: inputSchema,
  }));
  return {
    tool: async () => ({ functionDeclarations: declarations }),
    callTool: (calls) =>
      Promise.all(
        calls.flatMap((call) => {
          const tool = byName.get(call.name ?? '');
          return tool === undefined ? [] : [runCall(tool, call, options)];
        }),
      ),
  };
}

async function runCall(tool: AgentTool, { id, args }: FunctionCall, options: GoogleOptions) {
  const response = await responseOf(tool, args, options);
  return { functionResponse: { ...(id !== undefined && { id }), name: tool.name, response } };
}

async function responseOf(
  tool: AgentTool,
  args: unknown,
  options: GoogleOptions,
): Promise<FunctionResponse['response']> {
  try {
    return { output: (await runApproved(tool, args, options)) ?? null };
  } catch (error) {
    if (isToolFailure(error)) return { error: error.failure };
    throw error;
  }
}
