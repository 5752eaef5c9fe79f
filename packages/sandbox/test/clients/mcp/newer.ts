import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Speaker } from './speaker.js';

/** Creates the official MCP client of the newer package `@modelcontextprotocol/client`. */
export function newerSpeaker(endpoint: string, token: string): Speaker {
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
      return client.callTool({ name, arguments: input }, { onprogress });
    },
    progress: () => reports,
    async end() {
      await transport.terminateSession();
      await client.close();
    },
  };
}
