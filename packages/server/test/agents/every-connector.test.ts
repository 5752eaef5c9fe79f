import { loadCatalog } from '@svc/catalog';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectAccount, type Service, startService } from '../service.js';
import { emulatedConnectors } from '../support/emulated-connectors.js';
import { connectAgent, connectEarlier, mintToken } from './agent.js';
import { CALLS } from './calls.js';

const catalog = loadCatalog();

let service: Service;
let token: string;

beforeAll(async () => {
  service = await startService();
  for (const { connector } of CALLS) await connectAccount(service, connector);
  token = await mintToken(service);
});

afterAll(() => service.stop());

const CLIENTS = {
  '@modelcontextprotocol/client 2': connectAgent,
  '@modelcontextprotocol/sdk 1': connectEarlier,
};

describe.each(Object.entries(CLIENTS))('%s', (_, connect) => {
  test.each(CALLS)('lists and calls tools of $connector', async ({ connector, name, input }) => {
    const client = await connect(service, { token, path: `/mcp/${connector}` });
    const { tools } = await client.listTools();
    const own = [...catalog.tools.values()].filter((tool) => tool.connector === connector);
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(own.map(({ name }) => name)));
    // Clients check the structured content by the output schema of the list.
    const result = await client.callTool({ name, arguments: input });
    expect(result).toMatchObject({ structuredContent: expect.any(Object) });
    expect(result.isError).toBeUndefined();
    await client.close();
  });

  test('finds, describes and calls a tool among all by three others', async () => {
    const client = await connect(service, { token });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['search_tools', 'describe_tool', 'call_tool', 'get_job']);
    const found = await client.callTool({
      name: 'search_tools',
      arguments: { query: 'which calendars are there' },
    });
    expect(found.structuredContent).toMatchObject({
      tools: expect.arrayContaining([expect.objectContaining({ name: 'calendar_list_calendars' })]),
    });
    const nothing = await client.callTool({ name: 'search_tools', arguments: { query: 'xylophone' } });
    expect(nothing.structuredContent).toEqual({ tools: [], hint: expect.stringContaining('differently') });
    const described = await client.callTool({
      name: 'describe_tool',
      arguments: { name: 'calendar_list_events' },
    });
    expect(described.structuredContent).toMatchObject({
      inputSchema: { properties: { calendar_id: {} } },
      outputSchema: {},
    });
    const called = await client.callTool({
      name: 'call_tool',
      arguments: { name: 'calendar_list_calendars' },
    });
    expect(called.structuredContent).toMatchObject({ items: expect.any(Array) });
    await client.close();
  });

  test('gets every tool in one list where it asks for that', async () => {
    const client = await connect(service, { token, path: '/mcp?tools=all' });
    const { tools } = await client.listTools();
    const ofAll = emulatedConnectors.flatMap((connector) => connector.tools.map(({ name }) => name));
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(ofAll));
    await client.close();
  });
});
