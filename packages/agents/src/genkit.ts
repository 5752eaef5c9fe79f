import type { AgentTool, AgentTools } from './agent-tool.js';
import { isToolFailure } from './tool-failure.js';
import type { JsonSchema } from './tool-schema.js';

/** What `ai.defineTool` of Genkit takes. */
export interface GenkitConfig {
  name: string;
  description: string;
  inputJsonSchema: JsonSchema;
}

/** What Genkit hands to a tool. */
export interface GenkitContext {
  interrupt(metadata?: Record<string, unknown>): never;
  readonly resumed?: unknown;
  readonly abortSignal?: AbortSignal | undefined;
}

/** An instance of Genkit. */
export interface GenkitLike<Made> {
  defineTool(config: GenkitConfig, run: (input: unknown, context: GenkitContext) => Promise<unknown>): Made;
}

/**
 * The tools for Genkit: `ai.generate({ tools: genkitTools(tools, ai) })`. One that needs approval interrupts, and runs when it is
 * restarted with `{ resumed: { approved: true } }`. What fails is told to the model as `{ error }`.
 */
export function genkitTools<Made>(tools: AgentTools, ai: GenkitLike<Made>): Made[] {
  return Object.values(tools).map((tool) =>
    ai.defineTool(
      { name: tool.name, description: tool.description, inputJsonSchema: tool.inputSchema },
      (input, context) => runOrInterrupt(tool, input, context),
    ),
  );
}

async function runOrInterrupt(tool: AgentTool, input: unknown, context: GenkitContext): Promise<unknown> {
  if (tool.needsApproval && !isApproved(context.resumed)) context.interrupt({ title: tool.title });
  try {
    return (await tool.run(input, { signal: context.abortSignal })) ?? null;
  } catch (error) {
    if (isToolFailure(error)) return { error: error.failure };
    throw error;
  }
}

const isApproved = (resumed: unknown): boolean =>
  typeof resumed === 'object' && resumed !== null && 'approved' in resumed && resumed.approved === true;
