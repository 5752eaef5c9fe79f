import { isJsonObject, parseJson } from '@svc/catalog';
import type { Mcp, McpResult, McpTool } from '../../handler.js';
import type { Json } from '../json.js';

/**
 * Features of the connector's MCP server. They depend on the server version, so the service detects them from the
 * server's list of tools.
 */
export interface ScraperServer {
  /**
   * True if the MCP tool `call-actor` accepts `waitSecs`. The MCP server then waits for the run of the actor (a
   * scraping program), and returns the run without its result items.
   */
  readonly waits: boolean;
  /** All tools that the MCP server lists. */
  readonly tools: readonly McpTool[];
  /** Returns true if the MCP server lists a tool of this name. */
  readonly has: (tool: string) => boolean;
  /** Name of the MCP tool that reads the items of a dataset. The name depends on the server version. */
  readonly outputTool: 'get-actor-output' | 'get-dataset-items';
  /** Maximum number of actors (scraping programs) that one search request to the MCP server returns. */
  readonly searchLimit: number;
  /**
   * Name of the MCP server's web browser tool. Absent if the server has no such tool. The service then runs the browser
   * as an actor (a scraping program).
   */
  readonly browserTool: string | undefined;
}

const MIN_SEARCH_LIMIT = 10;
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
    searchLimit: typeof maximum === 'number' ? maximum : MIN_SEARCH_LIMIT,
    browserTool: BROWSER_TOOLS.find(takesWait),
  };
}

/**
 * Returns the structured content of an MCP tool result. Some server versions return it as JSON text. Returns
 * `undefined` if the result has neither.
 */
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

/**
 * Removes the MCP server's advice to AI models from a tool result. The advice names tools of the MCP server, which have
 * other names in this service.
 */
export function withoutAdvice({ nextStep: _next, instructions: _instructions, ...output }: Json): Json {
  return output;
}
