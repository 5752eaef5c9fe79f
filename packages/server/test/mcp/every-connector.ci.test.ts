import { loadCatalog } from '@svc/catalog';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectAgent, connectEarlier, firstText, mintToken } from '../support/mcp/agent.js';
import { CALLS } from '../support/mcp/calls.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';
import { emulatedConnectors } from '../support/tools/emulated-connectors.js';

const catalog = loadCatalog();

const MOST_DESCRIBED = 8192;
const ajv = new Ajv2020({ strict: false, validateFormats: false });

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
    // The client validates `structuredContent` against the output schema of the tool list.
    const result = await client.callTool({ name, arguments: input });
    expect(result).toMatchObject({ structuredContent: expect.any(Object) });
    expect(result.isError).toBeUndefined();
    await client.close();
  });

  test('finds, describes and calls any tool through the three meta tools', async () => {
    const client = await connect(service, { token });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['search_tools', 'describe_tool', 'call_tool', 'get_job']);
    const result = await client.callTool({
      name: 'search_tools',
      arguments: { query: 'which calendars are there' },
    });
    expect(result.structuredContent).toMatchObject({
      tools: expect.arrayContaining([expect.objectContaining({ name: 'calendar_list_calendars' })]),
    });
    const nothing = await client.callTool({ name: 'search_tools', arguments: { query: 'xylophone' } });
    expect(nothing.structuredContent).toEqual({ tools: [], hint: expect.stringContaining('differently') });
    const described = await client.callTool({
      name: 'describe_tool',
      arguments: { name: 'calendar_list_events' },
    });
    expect(JSON.parse(firstText(described))).toMatchObject({
      inputSchema: { properties: { calendar_id: {} } },
      example: expect.any(Object),
    });
    const output = await client.callTool({
      name: 'describe_tool',
      arguments: { name: 'calendar_list_events', include_output: true },
    });
    expect(JSON.parse(firstText(output))).toMatchObject({ outputSchema: { properties: { items: {} } } });
    const called = await client.callTool({
      name: 'call_tool',
      arguments: { name: 'calendar_list_calendars' },
    });
    expect(called.structuredContent).toMatchObject({ items: expect.any(Array) });
    await client.close();
  });

  test('describes each tool in at most 8 kB, with an example that matches its input schema', async () => {
    const client = await connect(service, { token });
    const describeTool = async (input: Readonly<Record<string, unknown>>) => {
      const result = await client.callTool({ name: 'describe_tool', arguments: input });
      expect({ ...input, length: JSON.stringify(result).length }).toEqual({
        ...input,
        length: expect.toSatisfy((length: number) => length <= MOST_DESCRIBED),
      });
      return JSON.parse(firstText(result));
    };
    for (const { name } of catalog.tools.values()) {
      const { inputSchema, example } = await describeTool({ name });
      expect(ajv.validate(inputSchema, example), JSON.stringify(ajv.errors)).toBe(true);
      expect((await describeTool({ name, include_output: true })).outputSchema).toEqual(expect.any(Object));
    }
    const name = 'workspace_data_source_query';
    expect((await describeTool({ name, definition: 'DateFilter' })).schema).toMatchObject({
      properties: { before: {} },
    });
    const missing = await client.callTool({
      name: 'describe_tool',
      arguments: { name, definition: 'constructor' },
    });
    expect(firstText(missing)).toMatch(
      /^invalid_input: The input schema of the tool has no definition "constructor"\. Use one of these definitions: .*DateFilter/,
    );
    await client.close();
  });

  test('names the service of each tool in its title and description', async () => {
    const client = await connect(service, { token, path: '/mcp?tools=all' });
    const { tools } = await client.listTools();
    for (const { name, title, description } of tools) {
      const connector = catalog.connectors.get(catalog.tools.get(name)?.connector ?? '');
      if (connector === undefined) continue;
      expect(title).toContain(`(${connector.service})`);
      expect(description).toMatch(new RegExp(`^${connector.service}: `));
      expect(client.getInstructions()).toContain(`${connector.id} (${connector.service})`);
    }
    const searching = await connect(service, { token });
    const query = { name: 'search_tools', arguments: { query: 'notion pages' } };
    const result = await searching.callTool(query);
    await searching.close();
    expect(result.structuredContent).toMatchObject({
      tools: expect.arrayContaining([
        expect.objectContaining({
          title: expect.stringContaining('(Notion)'),
          description: expect.stringMatching(/^Notion: .*[.]$/),
        }),
      ]),
    });
    await client.close();
  });

  test('explains in the instructions that the token allows no tool', async () => {
    const only = await mintToken(service, { tools: ['calendar_list_events'] });
    const client = await connect(service, { token: only, path: '/mcp/workspace' });
    expect((await client.listTools()).tools).toEqual([]);
    expect(client.getInstructions()).toBe(
      'You have no tools, because the services that you may use offer none. Tell the user that the task is not possible here.',
    );
    await client.close();
  });

  test('lists every tool when the URL has tools=all', async () => {
    const client = await connect(service, { token, path: '/mcp?tools=all' });
    const { tools } = await client.listTools();
    const ofAll = emulatedConnectors.flatMap((connector) => connector.tools.map(({ name }) => name));
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(ofAll));
    await client.close();
  });
});
