import type { AgentTool, AgentTools } from './agent-tool.js';
import { textOf } from './run-approved.js';
import { invalidInput, isToolFailure } from './tool-failure.js';
import type { JsonSchema } from './tool-schema.js';

/** Second argument of LangChain's `tool`: the name, the description and the schema. */
export interface LangChainFields {
  name: string;
  description: string;
  schema: JsonSchema;
  verboseParsingErrors: true;
}

/** Function that LangChain calls to run a tool. */
export type LangChainRun = (
  input: unknown,
  config: { readonly signal?: AbortSignal | undefined },
) => Promise<string>;

/** Tools and middleware options for a LangChain agent. */
export interface LangChainTools<Made> {
  tools: Made[];
  /** Option of `humanInTheLoopMiddleware`: the tools that need a person's approval. */
  interruptOn: Record<string, { allowedDecisions: ('approve' | 'reject')[]; description: string }>;
  /**
   * Option of `toolErrorMiddleware`. Returns an error text for the model if the model can act on the error. Returns
   * undefined for other errors, which are then rethrown.
   */
  onError(error: unknown): string | undefined;
}

/** Converts tools for a LangChain agent, with the `tool` function of LangChain. */
export function langchainTools<Made>(
  tools: AgentTools,
  tool: (run: LangChainRun, fields: LangChainFields) => Made,
): LangChainTools<Made> {
  const all = Object.values(tools);
  const gated = all.filter(({ needsApproval }) => needsApproval);
  return {
    tools: all.map((each) => tool(runOf(each), fieldsOf(each))),
    interruptOn: Object.fromEntries(
      gated.map(({ name, title }) => [name, { allowedDecisions: ['approve', 'reject'], description: title }]),
    ),
    onError: (error) => {
      const refused = refusalIn(error);
      const failure = refused === undefined ? error : invalidInput(refused.message);
      return isToolFailure(failure) ? failure.message : undefined;
    },
  };
}

/**
 * Finds LangChain's error for a tool input that does not match the schema. The model does not get its message, because
 * the message contains file paths of the program.
 */
function refusalIn(error: unknown): Error | undefined {
  if (!(error instanceof Error)) return undefined;
  const isRefusal = '~brand' in error && error['~brand'] === 'ToolInvocationError';
  if (isRefusal && 'toolError' in error && error.toolError instanceof Error) return error.toolError;
  // Searches the error's cause too, because other middleware may wrap the error.
  return refusalIn(error.cause);
}

const runOf =
  ({ run }: AgentTool): LangChainRun =>
  async (input, config) =>
    textOf(await run(input, { signal: config.signal }));

const fieldsOf = ({ name, description, inputSchema }: AgentTool): LangChainFields => ({
  name,
  description,
  schema: inputSchema,
  verboseParsingErrors: true,
});
