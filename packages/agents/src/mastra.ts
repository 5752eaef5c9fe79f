import type { AgentTool, AgentTools } from './agent-tool.js';
import type { JsonSchema } from './tool-schema.js';

/** Argument of Mastra's `createTool`. */
export interface MastraOptions {
  id: string;
  description: string;
  inputSchema: JsonSchema;
  requireApproval: boolean;
  execute(input: unknown, context: { readonly abortSignal?: AbortSignal | undefined }): Promise<unknown>;
}

/**
 * Converts tools for Mastra, with its function `createTool`: `new Agent({ tools: mastraTools(tools, createTool) })`.
 */
export function mastraTools<Name extends string, Made>(
  tools: AgentTools<Name>,
  createTool: (options: MastraOptions) => Made,
): Record<Name, Made> {
  const all: readonly AgentTool[] = Object.values(tools);
  // The type assertion is safe, because the result has one entry for each tool under its name.
  return Object.fromEntries(all.map((tool) => [tool.name, createTool(optionsOf(tool))])) as Record<
    Name,
    Made
  >;
}

const optionsOf = ({ name, description, inputSchema, needsApproval, run }: AgentTool): MastraOptions => ({
  id: name,
  description,
  inputSchema,
  requireApproval: needsApproval,
  execute: (input, context) => run(input, { signal: context.abortSignal }),
});
