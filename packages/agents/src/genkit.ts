import type { AgentTool, AgentTools, RunOptions } from './agent-tool.js';
import { isToolFailure } from './tool-failure.js';
import type { JsonSchema } from './tool-schema.js';

/** What `tool` of Genkit takes. */
export interface GenkitConfig {
  name: string;
  description: string;
  inputJsonSchema: JsonSchema;
}

/** What Genkit hands to a tool. */
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
export function genkitTools<Made>(
  tools: AgentTools,
  tool: (config: GenkitConfig, run: (input: unknown, context: GenkitContext) => Promise<unknown>) => Made,
  options: GenkitOptions = {},
): Made[] {
  return Object.values(tools).map((each) =>
    tool(
      { name: each.name, description: each.description, inputJsonSchema: forDraft7(each.inputSchema) },
      (input, context) => {
        if (each.needsApproval && !isApproved(context.resumed)) context.interrupt({ title: each.title });
        return answer(each, input, options);
      },
    ),
  );
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

/** Genkit validates by draft 7 and refuses words that came later; this one had another name there. */
function forDraft7(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('dependentRequired' in value)) return value;
    const { dependentRequired, ...rest } = value;
    return { ...rest, dependencies: dependentRequired };
  });
}
