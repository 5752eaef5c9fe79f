import {
  bindArguments,
  type Catalog,
  dataOf,
  type Example,
  loadCatalog,
  mcpData,
  type SentRequest,
  type Tool,
} from '@svc/catalog';
import { afterAll, expect, test } from 'vitest';
import type { UpstreamRequest } from '../upstream/request.js';
import type { HandlerTable } from './check-tools.js';
import type { HandlerContext, Mcp, McpResult, McpTool } from './handler.js';
import { handlers } from './handlers/index.js';
import { runRequests } from './run-requests.js';
import { type Exchange, toSend } from './send.js';

const now = () => new Date('2026-11-20T12:00:00Z');
const catalog: Catalog = loadCatalog({ now });
const table: HandlerTable = handlers;
const cases = [...catalog.tools.values()].flatMap((tool) =>
  tool.examples.map((example) => ({ name: tool.name, title: example.title, tool, example })),
);

type Sent = UpstreamRequest | SentRequest;

function createContext(mcp: Mcp): HandlerContext {
  let count = 0;
  return {
    mcp,
    now,
    sleep: async () => undefined,
    randomId: () => {
      count += 1;
      return `id-${count}`;
    },
  };
}

// What is undefined is not sent, and no query is the same as an empty one.
function plain({ query, headers, ...request }: Partial<Sent>): unknown {
  return JSON.parse(JSON.stringify({ ...request, query: query ?? {}, headers: headers ?? {} }));
}

async function runExample(tool: Tool, example: Example) {
  const replies = example.replies ?? [example.reply];
  const sent: Sent[] = [];
  const replyTo = (request: Sent): unknown => {
    sent.push(request);
    return structuredClone(replies[sent.length - 1]);
  };
  const headers = example.replyHeaders ?? {};
  const exchange: Exchange = async (request) => ({ body: replyTo(request), headers });
  // A call of an MCP tool is written like a request: MCP, the tool, its arguments; the list of tools is MCP tools/list.
  const mcp: Mcp = {
    tools: async () => (replyTo({ method: 'MCP', path: 'tools/list' }) as { tools: McpTool[] }).tools,
    call: async (path, args) => replyTo({ method: 'MCP', path, body: { arguments: args } }) as McpResult,
  };
  const { version, input } = catalog.resolveCall(tool, {
    toolInput: example.input,
    schemaVersion: example.version,
  });
  const run = async () => {
    if (version.mcp) {
      const result = await mcp.call(version.mcp.tool, bindArguments(version.mcp, input));
      return dataOf(version.answer, { input, answer: mcpData(result, version.mcp) });
    }
    if (version.handler) return table[tool.name]?.(input as never, toSend(exchange), createContext(mcp));
    return runRequests({ version, input, schema: catalog.plainInputSchemaOf(tool, version) }, exchange);
  };
  return { version, sent, data: await run() };
}

test.each(cases)('$name: $title', async ({ tool, example }) => {
  const { version, sent, data } = await runExample(tool, example);
  const expected = example.requests ?? [example.request];
  expect(sent.map(plain)).toEqual(expected.map((request) => plain(request ?? {})));
  if ('data' in example) expect(data).toEqual(example.data);
  if (data !== undefined) expect(catalog.outputProblems(tool, version, data)).toEqual([]);
});

test('every tool has an example, and every example says what is sent', () => {
  expect([...catalog.tools.values()].filter(({ examples }) => examples.length === 0)).toEqual([]);
  expect(
    cases.filter(({ example }) => !example.request && !example.requests).map(({ name }) => name),
  ).toEqual([]);
});

afterAll(() => {
  for (const { id, tools } of catalog.connectors.values()) {
    const examples = tools.flatMap((tool) => tool.examples).length;
    process.stdout.write(`${id}: ${examples} examples of ${tools.length} tools\n`);
  }
});
