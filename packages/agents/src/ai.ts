import type { ToolNamed } from '@svc/core';
import type { AgentTool, AgentTools } from './agent-tool.js';
import type { JsonSchema } from './tool-schema.js';

/** A tool of the AI SDK. */
export interface AiTool<Name extends string, Schema> {
  description: string;
  title: string;
  inputSchema: Schema;
  strict: boolean;
  execute(
    input: unknown,
    options: { readonly abortSignal?: AbortSignal | undefined },
  ): Promise<ToolNamed<Name>['output']>;
}

/** What `generateText`, `streamText` and `ToolLoopAgent` take. */
export interface AiTools<Name extends string, Schema> {
  tools: { [Each in Name]: AiTool<Each, Schema> };
  /** Asks the user before a tool runs that needs it. */
  toolApproval: { [Each in Name]?: 'user-approval' };
}

/**
 * The tools for the AI SDK, with its `jsonSchema`: `generateText({ model, ...aiTools(tools, jsonSchema), prompt })`. A call that
 * fails becomes a `tool-error` whose text is the failure as JSON.
 */
export function aiTools<Name extends string, Schema>(
  tools: AgentTools<Name>,
  jsonSchema: (schema: JsonSchema) => Schema,
): AiTools<Name, Schema> {
  const all: readonly AgentTool[] = Object.values(tools);
  const made = all.map((tool) => [tool.name, aiTool(tool, jsonSchema)]);
  const asked = all.filter(({ needsApproval }) => needsApproval).map(({ name }) => [name, 'user-approval']);
  return { tools: Object.fromEntries(made), toolApproval: Object.fromEntries(asked) };
}

const aiTool = <Schema>(
  { description, title, inputSchema, isStrict, run }: AgentTool,
  jsonSchema: (schema: JsonSchema) => Schema,
): AiTool<string, Schema> => ({
  description,
  title,
  inputSchema: jsonSchema(inputSchema),
  strict: isStrict,
  execute: (input, { abortSignal }) => run(input, { signal: abortSignal }),
});
