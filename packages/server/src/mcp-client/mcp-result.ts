import type { StandardSchemaV1 } from '@modelcontextprotocol/client';
import { isJsonObject } from '@svc/catalog';
import type { McpContent, McpResult } from './mcp-tool.js';

const isContent = (value: unknown): value is McpContent =>
  isJsonObject(value) && typeof value['type'] === 'string';

/** `undefined` when the value is not the result of a tool. */
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

/** Accepts unknown kinds of content, which the library's own schema refuses. */
export const mcpResultSchema: StandardSchemaV1<unknown, McpResult> = {
  '~standard': {
    version: 1,
    vendor: 'svc',
    validate: (value) => {
      const result = toMcpResult(value);
      return result === undefined
        ? { issues: [{ message: 'It is no result of a tool.' }] }
        : { value: result };
    },
  },
};
