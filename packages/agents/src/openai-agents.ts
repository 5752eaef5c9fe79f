import type { AgentTool, AgentTools } from './agent-tool.js';
import { textOf } from './run-approved.js';
import { invalidInput, isToolFailure } from './tool-failure.js';

/** Argument of the function `tool` of @openai/agents. */
export interface OpenAIAgentsOptions {
  name: string;
  description: string;
  parameters: ObjectSchema;
  strict: true;
  needsApproval: boolean;
  execute(input: unknown, context?: unknown, details?: { readonly signal?: AbortSignal }): Promise<string>;
  errorFunction(context: unknown, error: unknown): string;
}

interface ObjectSchema {
  type: 'object';
  properties: Record<string, Record<string, unknown>>;
  required: string[];
  additionalProperties: false;
}

/**
 * Converts tools for the OpenAI Agents SDK, with its function `tool`: `new Agent({ tools: openaiAgentsTools(tools,
 * tool) })`.
 */
export function openaiAgentsTools<Made>(
  tools: AgentTools,
  tool: (options: OpenAIAgentsOptions) => Made,
): Made[] {
  return Object.values(tools).map((each) => tool(optionsOf(each)));
}

function optionsOf({
  name,
  description,
  inputSchema,
  isStrict,
  needsApproval,
  run,
}: AgentTool): OpenAIAgentsOptions {
  return {
    name,
    description,
    // The type assertion is needed, because the SDK's type allows only schemas with `additionalProperties: true` for
    // tools that are not strict. These schemas forbid additional properties.
    parameters: { required: [], ...inputSchema } as unknown as ObjectSchema,
    strict: isStrict as true,
    needsApproval,
    execute: async (input, _context, details) => textOf(await run(input, { signal: details?.signal })),
    errorFunction: (_context, error) => {
      const failure = isUnreadable(error)
        ? invalidInput('The arguments are not valid JSON. Send one JSON object.')
        : error;
      if (isToolFailure(failure)) return failure.message;
      throw error;
    },
  };
}

/**
 * Returns true for the SDK's error for arguments that are not valid JSON. The SDK parses the arguments before it calls
 * the tool.
 */
const isUnreadable = (error: unknown): boolean =>
  error instanceof Error && error.name === 'InvalidToolInputError';
