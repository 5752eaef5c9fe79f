import { readFileSync } from 'node:fs';
import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { buildMcpCall, buildMcpList, buildMcpMessage, buildToolCall } from '../build-requests.ts';
import type { Bench, Part, Result, Row } from '../part.ts';
import { runRounds } from '../run-rounds.ts';
import type { Target } from '../send-load.ts';
import { connectAccount, createSettings, type Service, startService } from '../start-service.ts';

const CONNECTIONS = 32;
const HTTP = 'a tool call, HTTP';
const MCP = 'the same, MCP';
const LIST = 'a list of all tools';
const CONNECTION = 'own';
const CALLED = '/mcp/convintel';
const ALL_TOOLS = '/mcp?tools=all';

interface Question {
  readonly question: string;
  /** Names of the tools that are correct for the question. A search result is correct if it is one of them. */
  readonly tools: readonly string[];
}

interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: unknown;
}

const questions: readonly Question[] = JSON.parse(
  readFileSync(new URL('../held-out-questions.json', import.meta.url), 'utf8'),
);

/** Creates a connection for every connector in the catalogue, and returns the connector ids. */
async function connectAll({ call }: Service): Promise<readonly string[]> {
  const { items } = (await call('GET', '/v1/connectors')) as {
    readonly items: readonly { readonly id: string }[];
  };
  for (const { id } of items)
    await call('POST', '/v1/connections', { connectionName: id, connector: id }).catch(() => undefined);
  return items.map(({ id }) => id);
}

async function createAgentToken(
  { call }: Service,
  limits: Readonly<Record<string, unknown>>,
): Promise<string> {
  const body = { identifier: 'user_42', expiresIn: 3600, ...limits };
  return ((await call('POST', '/v1/agent-tokens', body)) as { readonly token: string }).token;
}

/** Creates a function that sends MCP messages one at a time, as an agent does. */
const createMcpSend =
  ({ url }: Service, token: string) =>
  async <Output>(path: string, ...message: Parameters<typeof buildMcpMessage>): Promise<Output> => {
    const { headers, body } = buildMcpMessage(...message);
    const authorization = `Bearer ${token}`;
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { ...headers, authorization },
      body,
    });
    return ((await response.json()) as { readonly result: Output }).result;
  };

type McpSend = ReturnType<typeof createMcpSend>;

/**
 * Sends each question to the tool search. Returns two percentages of questions: those with a correct tool as first
 * result, and those with a correct tool among the first five results.
 */
async function measureSearch(send: McpSend) {
  const hits = { first: 0, inFive: 0 };
  for (const { question, tools } of questions) {
    const params = { name: 'search_tools', arguments: { query: question, limit: 5 } };
    const { structuredContent } = await send<{
      readonly structuredContent: { readonly tools: readonly ListedTool[] };
    }>('/mcp', 'tools/call', params);
    const at = structuredContent.tools.findIndex(({ name }) => tools.includes(name));
    if (at === 0) hits.first += 1;
    if (at >= 0) hits.inFive += 1;
  }
  const percent = (count: number) => (100 * count) / questions.length;
  return { first: percent(hits.first), inFive: percent(hits.inFive) };
}

interface Size {
  readonly tools: number;
  /**
   * Number of tokens that a model reads: the names, descriptions and input schemas, which an MCP client passes to the
   * model.
   */
  readonly read: number;
  /** Number of model tokens in the whole response that the service sends. */
  readonly sent: number;
}

async function measureList(send: McpSend, path: string, encoding: Tiktoken): Promise<Size> {
  const { tools } = await send<{ readonly tools: readonly ListedTool[] }>(path, 'tools/list');
  const count = (value: unknown) => encoding.encode(JSON.stringify(value)).length;
  const read = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  return { tools: tools.length, read: count(read), sent: count(tools) };
}

function measureCpu(bench: Bench, { port, pid }: Service, requests: Readonly<Record<string, string>>) {
  const toTarget = (request: string): Target => ({ servers: [{ port, pid, requests: [request] }] });
  const targets = new Map(Object.entries(requests).map(([name, request]) => [name, toTarget(request)]));
  return runRounds(bench, { targets, connections: CONNECTIONS });
}

async function run(bench: Bench): Promise<Result> {
  const service = await startService(bench, await createSettings(bench));
  const { id } = await connectAccount(service, CONNECTION, bench.upstream.small);
  const connectors = await connectAll(service);
  const ofOne = await createAgentToken(service, { connections: [CONNECTION] });
  const ofAll = await createAgentToken(service, { connections: connectors });
  // Measures calls here and `tools/list` requests afterwards. If both ran together, garbage from the `tools/list`
  // requests would be collected during the calls and count as their CPU time.
  const calls = await measureCpu(bench, service, {
    [HTTP]: buildToolCall(id, ofOne),
    [MCP]: buildMcpCall(CALLED, ofOne),
  });
  const listed = await measureCpu(bench, service, { [LIST]: buildMcpList(ALL_TOOLS, ofAll) });
  const medians = new Map([...calls, ...listed]);
  const cpuOf = (name: string) => medians.get(name)?.cpuUs ?? Number.NaN;

  const send = createMcpSend(service, ofAll);
  const encoding = new Tiktoken(o200k);
  const sizes = new Map<string, Size>();
  for (const path of ['/mcp', ALL_TOOLS, ...connectors.map((connector) => `/mcp/${connector}`)])
    sizes.set(path, await measureList(send, path, encoding));
  const ofConnectors = [...sizes].filter(([path]) => path.startsWith('/mcp/')).map(([, { read }]) => read);
  const search = await measureSearch(send);
  const costs = [...medians].map(
    ([name, { cpuUs, perSecond }]): Row => ({
      '': name,
      'CPU µs': cpuUs.toFixed(1),
      'requests/s': Math.round(perSecond),
    }),
  );
  const lists = [...sizes].map(
    ([path, { tools, read, sent }]): Row => ({ '': path, tools, 'tokens read': read, 'tokens sent': sent }),
  );
  return {
    rows: [...costs, ...lists],
    figures: {
      'agents.callOverHttp': cpuOf(MCP) / cpuOf(HTTP),
      'agents.listMs': cpuOf(LIST) / 1000,
      'agents.listTokens': Math.max(...ofConnectors),
      'agents.metaTokens': sizes.get('/mcp')?.read ?? Number.NaN,
      'agents.firstResult': search.first,
      'agents.inFirstFive': search.inFive,
    },
    notes: [`The search ran with ${questions.length} questions (src/held-out-questions.json).`],
  };
}

export const agents: Part = {
  title: 'Tools for agents over MCP: calls, lists, what a model reads, and the search',
  run,
};
