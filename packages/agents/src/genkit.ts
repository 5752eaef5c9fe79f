import type { AgentTool, AgentTools, RunOptions } from './agent-tool.js';
import { isToolFailure } from './tool-failure.js';

/** First argument of Genkit's `tool`. */
export interface GenkitConfig {
  name: string;
  description: string;
}

/** The part of a Genkit tool that describes it to a model. */
export interface GenkitTool {
  readonly __action: { readonly name: string };
}

/** Context that Genkit passes to a tool. */
export interface GenkitContext {
  interrupt(metadata?: Record<string, unknown>): never;
  readonly resumed?: unknown;
}

/** Options of the calls. Genkit does not hand the signal of `generate` to tools, so that one given here ends them. */
export type GenkitOptions = Pick<RunOptions, 'signal'>;

/**
 * The tools for Genkit, with its `tool`: `ai.generate({ tools: genkitTools(tools, tool) })`. One that needs approval interrupts, and
 * runs when it is restarted with `{ approved: true }`. What fails is told to the model as `{ error }`.
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
      return answer(each, input, options);
    });
    // The model is told the schema. To the tool itself Genkit would hold an input by ending everything at the first wrong one,
    // and by draft 7; the service says what is wrong, for the model to put right.
    Object.assign(made.__action, { inputJsonSchema: inputSchema });
    return made;
  });
}

async function answer(tool: AgentTool, input: unknown, options: GenkitOptions): Promise<unknown> {
  try {
    return (await tool.run(input, options)) ?? null;
  } catch (error) {
    if (isToolFailure(error)) return { error: error.failure };
    throw error;
  }
}

const isApproved = (resumed: unknown): boolean =>
  typeof resumed === 'object' && resumed !== null && 'approved' in resumed && resumed.approved === true;
