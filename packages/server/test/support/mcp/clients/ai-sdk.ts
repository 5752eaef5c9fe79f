import { createMCPClient } from '@ai-sdk/mcp';
import type { Client } from './client.ts';

export const client: Client = async ({ url, token, name, input }) => {
  const headers = { authorization: `Bearer ${token}` };
  const mcp = await createMCPClient({ transport: { type: 'http', url, headers } });
  try {
    const tools = await mcp.tools();
    const result = await tools[name]?.execute(input, { toolCallId: 'call_1', messages: [], context: {} });
    return { names: Object.keys(tools), result };
  } finally {
    await mcp.close();
  }
};
