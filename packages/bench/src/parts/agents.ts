import { readFileSync } from 'node:fs';
import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { mcpCall, mcpList, mcpMessage, toolCall } from '../build-requests.ts';
import type { Bench, Part, Result, Row } from '../part.ts';
import { alternate } from '../run-rounds.ts';
import { connect, newSettings, SANDBOX, type Service, startService } from '../start-service.ts';

const CONNECTIONS = 32;
const HTTP = 'a tool call, HTTP';
const MCP = 'the same, MCP';
const LIST = 'a list of all tools';
const OWN = 'own';
const CALLED = '/mcp/convintel';
const EVERY = '/mcp?tools=all';

interface Question {
  readonly question: string;
  /** Each of these is right. */
  readonly tools: readonly string[];
}

interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: unknown;
}

const questions: readonly Question[] = JSON.parse(
  readFileSync(new URL('../questions.json', import.meta.url), 'utf8'),
);

/** A connection of every connector, be it the sandbox's. */
async function connectAll({ call }: Service): Promise<readonly string[]> {
  const { items } = (await call('GET', '/v1/connectors')) as {
    readonly items: readonly { readonly id: string }[];
  };
  for (const { id } of items)
    await call('POST', '/v1/connections', { connectionName: id, connector: id }).catch(() => undefined);
  return items.map(({ id }) => id);
}

async function mint({ call }: Service, limits: Readonly<Record<string, unknown>>): Promise<string> {
  const wish = { identifier: 'user_42', expiresIn: 3600, ...limits };
  return ((await call('POST', '/v1/agent-tokens', wish)) as { readonly token: string }).token;
}

/** Asks as agents ask, one message at a time. */
const asking =
  ({ url }: Service, token: string) =>
  async <Answer>(path: string, ...message: Parameters<typeof mcpMessage>): Promise<Answer> => {
    const { headers, body } = mcpMessage(...message);
    const authorization = `Bearer ${token}`;
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { ...headers, authorization },
      body,
    });
    return ((await response.json()) as { readonly result: Answer }).result;
  };

type Ask = ReturnType<typeof asking>;

/** In percent: how often a right tool is the first, and among the first five. */
async function measureSearch(ask: Ask) {
  const found = { first: 0, inFive: 0 };
  for (const { question, tools } of questions) {
    const params = { name: 'search_tools', arguments: { query: question, limit: 5 } };
    const { structuredContent } = await ask<{
      readonly structuredContent: { readonly tools: readonly ListedTool[] };
    }>('/mcp', 'tools/call', params);
    const at = structuredContent.tools.findIndex(({ name }) => tools.includes(name));
    if (at === 0) found.first += 1;
    if (at >= 0) found.inFive += 1;
  }
  const percent = (count: number) => (100 * count) / questions.length;
  return { first: percent(found.first), inFive: percent(found.inFive) };
}

interface Size {
  readonly tools: number;
  /** What hosts put before a model: names, descriptions and inputs. */
  readonly read: number;
  /** All that is sent. */
  readonly sent: number;
}

async function measureList(ask: Ask, path: string, encoding: Tiktoken): Promise<Size> {
  const { tools } = await ask<{ readonly tools: readonly ListedTool[] }>(path, 'tools/list');
  const count = (value: unknown) => encoding.encode(JSON.stringify(value)).length;
  const read = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  return { tools: tools.length, read: count(read), sent: count(tools) };
}

async function measureCpu(
  { load, isQuick }: Bench,
  { port, pid }: Service,
  requests: Readonly<Record<string, string>>,
) {
  const ms = isQuick ? 50 : 1000;
  const jobs = Object.entries(requests).map(
    ([name, request]) =>
      [name, { servers: [{ port, pid, requests: [request] }], ms, connections: CONNECTIONS }] as const,
  );
  const options = { load, rounds: isQuick ? 1 : 7, warmUpMs: isQuick ? 50 : 1500 };
  return alternate(new Map(jobs), options);
}

async function run(bench: Bench): Promise<Result> {
  const { folder, upstream, isQuick, defer } = bench;
  const settings = await newSettings({ folder, origins: [upstream.small] });
  const service = await startService(settings, { folder, flags: isQuick ? [] : SANDBOX });
  defer(service.stop);
  const { id } = await connect(service, OWN, upstream.small);
  const connectors = await connectAll(service);
  const [one, all] = [
    await mint(service, { connections: [OWN] }),
    await mint(service, { connections: connectors }),
  ];
  // Apart, because the collector takes what lists leave behind in the time of whatever comes next.
  const calls = await measureCpu(bench, service, { [HTTP]: toolCall(id, one), [MCP]: mcpCall(CALLED, one) });
  const listed = await measureCpu(bench, service, { [LIST]: mcpList(EVERY, all) });
  const medians = new Map([...calls, ...listed]);
  const cpuOf = (name: string) => medians.get(name)?.cpuUs ?? Number.NaN;

  const ask = asking(service, all);
  const encoding = new Tiktoken(o200k);
  const sizes = new Map<string, Size>();
  for (const path of ['/mcp', EVERY, ...connectors.map((connector) => `/mcp/${connector}`)])
    sizes.set(path, await measureList(ask, path, encoding));
  const ofConnectors = [...sizes].filter(([path]) => path.startsWith('/mcp/')).map(([, { read }]) => read);
  const found = await measureSearch(ask);
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
    rows: [...costs, ...lists].map((row) => ({
      '': '',
      'CPU µs': '',
      'requests/s': '',
      tools: '',
      'tokens read': '',
      'tokens sent': '',
      ...row,
    })),
    figures: {
      'agents.callOverHttp': cpuOf(MCP) / cpuOf(HTTP),
      'agents.listMs': cpuOf(LIST) / 1000,
      'agents.listTokens': Math.max(...ofConnectors),
      'agents.metaTokens': sizes.get('/mcp')?.read ?? Number.NaN,
      'agents.foundFirst': found.first,
      'agents.foundInFive': found.inFive,
    },
    notes: [`The search was asked ${questions.length} questions (src/questions.json).`],
  };
}

export const agents: Part = {
  title: 'Tools for agents over MCP: calls, lists, what a model reads, and the search',
  run,
};
