import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Speaker } from './speaker.js';

/** Creates the official MCP client of the older package `@modelcontextprotocol/sdk`, which also contains servers. */
export function olderSpeaker(endpoint: string, token: string): Speaker {
  const client = new Client({ name: 'battery', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(new URL(endpoint), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  let reports = 0;
  const onprogress = () => {
    reports += 1;
  };
  return {
    connect: () => client.connect(transport),
    serverName: () => client.getServerVersion()?.name,
    ping: () => client.ping(),
    listTools: () => client.listTools(),
    async callTool(name, input) {
      reports = 0;
      return client.callTool({ name, arguments: input }, undefined, { onprogress });
    },
    progress: () => reports,
    async end() {
      await transport.terminateSession();
      await client.close();
    },
  };
}
