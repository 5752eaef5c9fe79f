import {
  Agent,
  type AgentOutputItem,
  MCPServerStreamableHttp,
  type Model,
  run,
  setTracingDisabled,
  Usage,
} from '@openai/agents';
import type { Client, ToolCall } from './client.ts';

setTracingDisabled(true);

/** Fakes a model that calls the tool once, and records the tool names and the tool result that it receives. */
function scriptedModel({ name, input }: ToolCall) {
  const seen: { names: readonly string[]; result: unknown } = { names: [], result: undefined };
  const model: Model = {
    getResponse: async ({ input: items, tools }) => {
      const result =
        typeof items === 'string' ? undefined : items.find(({ type }) => type === 'function_call_result');
      seen.names = tools.flatMap((tool) => (tool.type === 'function' ? [tool.name] : []));
      seen.result = result;
      const call: AgentOutputItem = {
        type: 'function_call',
        callId: 'call_1',
        name,
        status: 'completed',
        arguments: JSON.stringify(input),
      };
      const text: AgentOutputItem = {
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'It is done.' }],
      };
      return { usage: new Usage(), output: [result ? text : call] };
    },
    getStreamedResponse: () => {
      throw new Error('The script does not stream.');
    },
  };
  return { model, seen };
}

export const client: Client = async (toolCall) => {
  const { url, token } = toolCall;
  const headers = { authorization: `Bearer ${token}` };
  const server = new MCPServerStreamableHttp({ url, requestInit: { headers } });
  await server.connect();
  try {
    const { model, seen } = scriptedModel(toolCall);
    await run(new Agent({ name: 'Assistant', model, mcpServers: [server] }), 'Look after it.');
    return seen;
  } finally {
    await server.close();
  }
};
