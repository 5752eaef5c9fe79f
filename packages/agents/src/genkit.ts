import type { AgentTool, AgentTools, RunOptions } from './agent-tool.js';
import { isToolFailure } from './tool-failure.js';

/** First argument of Genkit's `tool`. */
export interface GenkitConfig {
  name: string;
  description: string;
}

/** Genkit's tool object, as far as it describes the tool to a model. */
export interface GenkitTool {
  readonly __action: { readonly name: string };
}

/** Context that Genkit passes to a tool. */
export interface GenkitContext {
  interrupt(metadata?: Record<string, unknown>): never;
  readonly resumed?: unknown;
}

/**
 * Options of all tool calls. An aborted signal aborts all of them, because Genkit does not pass the signal of
 * `generate` to tools.
 */
export type GenkitOptions = Pick<RunOptions, 'signal'>;

/**
 * Converts tools for Genkit: `ai.generate({ tools: genkitTools(tools, tool) })`. `tool` is
 * Genkit's function that creates a tool. A tool that needs approval interrupts the generation, and runs after
 * `restart` of the tool with `{ approved: true }`. The model receives a failure as `{ error }`.
 */
export function genkitTools<Made extends GenkitTool>(
  tools: AgentTools,
  tool: (config: GenkitConfig, run: (input: unknown, context: GenkitContext) => Promise<unknown>) => Made,
  options: GenkitOptions = {},
): Made[] {
  return Object.values(tools).map((each) => {
    const { name, description, inputSchema } = each;
    const made = tool({ name, description }, (input, context) => {
      if (each.needsApproval && !isApproved(context.resumed)) context.interrupt({ title: each.title });
      return runTool(each, input, options);
    });
    // Gives the model the schema, but does not let Genkit validate inputs with it, because Genkit ends the generation
    // at the first wrong input. The service validates instead, so that the model can correct its input.
    Object.assign(made.__action, { inputJsonSchema: inputSchema });
    return made;
  });
}

async function runTool(tool: AgentTool, input: unknown, options: GenkitOptions): Promise<unknown> {
  try {
    return (await tool.run(input, options)) ?? null;
  } catch (error) {
    if (isToolFailure(error)) return { error: error.failure };
    throw error;
  }
}

const isApproved = (resumed: unknown): boolean =>
  typeof resumed === 'object' && resumed !== null && 'approved' in resumed && resumed.approved === true;
