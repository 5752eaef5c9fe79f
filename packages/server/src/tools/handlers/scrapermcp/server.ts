import { isJsonObject, parseJson } from '@svc/catalog';
import type { Mcp, McpResult, McpTool } from '../../handler.js';
import type { Json } from '../json.js';

/** Features of the account's server. They depend on its version, so its own list of tools decides. */
export interface ScraperServer {
  /** True when calls take the seconds to wait for a run, and return it without its items. */
  readonly waits: boolean;
  /** Every tool that the server lists. */
  readonly tools: readonly McpTool[];
  /** Returns whether the server lists a tool. */
  readonly has: (tool: string) => boolean;
  /** Tool that reads the items of a dataset. */
  readonly outputTool: 'get-actor-output' | 'get-dataset-items';
  /** Largest number of actors of one search. */
  readonly searchLimit: number;
  /** Tool of the web browser; absent where the browser is called as an actor. */
  readonly browserTool: string | undefined;
}

const LEAST_SEARCH_LIMIT = 10;
const BROWSER_TOOLS = ['apify--rag-web-browser', 'apify-slash-rag-web-browser'];

function argumentOf(tool: McpTool | undefined, name: string): unknown {
  const properties = tool?.inputSchema['properties'];
  return isJsonObject(properties) ? properties[name] : undefined;
}

export async function readServer(mcp: Mcp): Promise<ScraperServer> {
  const listed = await mcp.tools();
  const tools = new Map(listed.map((tool) => [tool.name, tool]));
  const takesWait = (name: string) => argumentOf(tools.get(name), 'waitSecs') !== undefined;
  const limit = argumentOf(tools.get('search-actors'), 'limit');
  const maximum = isJsonObject(limit) ? limit['maximum'] : undefined;
  return {
    waits: takesWait('call-actor'),
    tools: listed,
    has: (tool) => tools.has(tool),
    outputTool: tools.has('get-actor-output') ? 'get-actor-output' : 'get-dataset-items',
    searchLimit: typeof maximum === 'number' ? maximum : LEAST_SEARCH_LIMIT,
    browserTool: BROWSER_TOOLS.find(takesWait),
  };
}

/** Structured content of a result, which some versions return as text; `undefined` when there is none. */
export function structuredIn({ structuredContent, content }: McpResult): Json | undefined {
  if (structuredContent !== undefined) return structuredContent;
  const [first] = content;
  try {
    const parsed: unknown = parseJson(first?.text ?? '');
    return isJsonObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** Removes advice to models, because the tools that it names have other names here. */
export function withoutAdvice({ nextStep: _next, instructions: _instructions, ...answer }: Json): Json {
  return answer;
}
