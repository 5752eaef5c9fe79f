import type { StandardSchemaV1 } from '@modelcontextprotocol/client';
import { isJsonObject } from '@svc/catalog';
import type { McpContent, McpResult } from './mcp-tool.js';

const isContent = (value: unknown): value is McpContent =>
  isJsonObject(value) && typeof value['type'] === 'string';

/** Parses the result of an MCP tool call. Returns `undefined` if the value is not a valid tool result. */
export function toMcpResult(value: unknown): McpResult | undefined {
  if (!isJsonObject(value)) return undefined;
  const { content = [], structuredContent, isError } = value;
  if (!Array.isArray(content) || !content.every(isContent)) return undefined;
  return {
    content,
    ...(isJsonObject(structuredContent) && { structuredContent }),
    ...(isError === true && { isError }),
  };
}

/** Schema for tool results. It accepts unknown content types, which the schema of the MCP library rejects. */
export const mcpResultSchema: StandardSchemaV1<unknown, McpResult> = {
  '~standard': {
    version: 1,
    vendor: 'svc',
    validate: (value) => {
      const result = toMcpResult(value);
      return result === undefined
        ? {
            issues: [
              {
                message:
                  'The response of the MCP server to tools/call is not a tool result. Report this to the operator of the MCP server.',
              },
            ],
          }
        : { value: result };
    },
  },
};
