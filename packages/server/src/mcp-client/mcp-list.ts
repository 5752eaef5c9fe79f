import type { Client, StandardSchemaV1 } from '@modelcontextprotocol/client';
import { ServiceError } from '../errors.js';
import { inLibrary, type McpRequestOptions } from './mcp-client.js';
import type { McpTool } from './mcp-tool.js';

interface Page {
  readonly tools: readonly McpTool[];
  readonly nextCursor: string | undefined;
}

const MOST_PAGES = 64;
const HTTP_OK = 200;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function toTool(value: unknown): McpTool | undefined {
  if (!isObject(value) || typeof value['name'] !== 'string' || !isObject(value['inputSchema']))
    return undefined;
  const { name, title, description, inputSchema } = value;
  return {
    name,
    ...(typeof title === 'string' && { title }),
    ...(typeof description === 'string' && { description }),
    inputSchema,
  };
}

function toPage(value: unknown): Page | undefined {
  if (!isObject(value) || !Array.isArray(value['tools'])) return undefined;
  const tools = value['tools'].map(toTool);
  const { nextCursor } = value;
  return tools.every((tool) => tool !== undefined)
    ? { tools, nextCursor: typeof nextCursor === 'string' ? nextCursor : undefined }
    : undefined;
}

const pageSchema: StandardSchemaV1<unknown, Page> = {
  '~standard': {
    version: 1,
    vendor: 'svc',
    validate: (value) => {
      const page = toPage(value);
      return page === undefined ? { issues: [{ message: 'It is no list of tools.' }] } : { value: page };
    },
  },
};

/** Every tool of the server, from all pages. The library's own list writes what it leaves out to the console, unescaped. */
export async function listMcpTools(client: Client, options: McpRequestOptions): Promise<readonly McpTool[]> {
  const tools: McpTool[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const page = await client.request({ method: 'tools/list', params }, pageSchema, inLibrary(options));
    tools.push(...page.tools);
    cursor = page.nextCursor;
    if (cursor === undefined) return tools;
  }
  throw new ServiceError('upstream_failed', `The MCP server lists more than ${MOST_PAGES} pages of tools.`, {
    status: HTTP_OK,
    body: null,
  });
}
