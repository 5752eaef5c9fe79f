import {
  Agent,
  type AgentOutputItem,
  MCPServerStreamableHttp,
  type Model,
  run,
  setTracingDisabled,
  Usage,
} from '@openai/agents';
import type { Asked, Client } from './client.ts';

setTracingDisabled(true);

/** Fakes a model that calls the tool once, and records the tool names and the tool result that it receives. */
function scriptedModel({ name, input }: Asked) {
  const seen: { names: readonly string[]; told: unknown } = { names: [], told: undefined };
  const model: Model = {
    getResponse: async ({ input: items, tools }) => {
      const answer =
        typeof items === 'string' ? undefined : items.find(({ type }) => type === 'function_call_result');
      seen.names = tools.flatMap((tool) => (tool.type === 'function' ? [tool.name] : []));
      seen.told = answer;
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
      return { usage: new Usage(), output: [answer ? text : call] };
    },
    getStreamedResponse: () => {
      throw new Error('The script does not stream.');
    },
  };
  return { model, seen };
}

export const client: Client = async (asked) => {
  const { url, token } = asked;
  const headers = { authorization: `Bearer ${token}` };
  const server = new MCPServerStreamableHttp({ url, requestInit: { headers } });
  await server.connect();
  try {
    const { model, seen } = scriptedModel(asked);
    await run(new Agent({ name: 'Assistant', model, mcpServers: [server] }), 'Look after it.');
    return seen;
  } finally {
    await server.close();
  }
};
