import type { Client, StandardSchemaV1 } from '@modelcontextprotocol/client';
import { isJsonObject } from '@svc/catalog';
import { ServiceError } from '../errors.js';
import { type McpRequestOptions, toLibraryOptions } from './mcp-client.js';
import type { McpTool } from './mcp-tool.js';

interface Page {
  readonly tools: readonly McpTool[];
  readonly nextCursor: string | undefined;
}

const MAX_PAGES = 64;
const HTTP_OK = 200;

function toTool(value: unknown): McpTool | undefined {
  if (!isJsonObject(value) || typeof value['name'] !== 'string' || !isJsonObject(value['inputSchema']))
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
  if (!isJsonObject(value) || !Array.isArray(value['tools'])) return undefined;
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
      return page === undefined
        ? {
            issues: [
              {
                message:
                  'The response of the MCP server to tools/list is not a list of tools. Report this to the operator of the MCP server.',
              },
            ],
          }
        : { value: page };
    },
  },
};

/**
 * Lists the tools of an MCP server, from all pages of `tools/list`. The MCP library's `listTools` is not used, because
 * it writes unescaped server text to the console.
 */
export async function listMcpTools(client: Client, options: McpRequestOptions): Promise<readonly McpTool[]> {
  const tools: McpTool[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const page = await client.request(
      { method: 'tools/list', params },
      pageSchema,
      toLibraryOptions(options),
    );
    tools.push(...page.tools);
    cursor = page.nextCursor;
    if (cursor === undefined) return tools;
  }
  throw new ServiceError(
    'upstream_failed',
    `The MCP server lists more than the maximum of ${MAX_PAGES} pages of tools. Report this to the operator of the MCP server.`,
    {
      status: HTTP_OK,
      body: null,
    },
  );
}
