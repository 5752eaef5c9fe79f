import type { StandardSchemaV1 } from '@modelcontextprotocol/client';
import type { McpContent, McpResult } from './mcp-tool.js';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isContent = (value: unknown): value is McpContent =>
  isObject(value) && typeof value['type'] === 'string';

/** The result of a tool; `undefined` for what is none. */
export function toMcpResult(value: unknown): McpResult | undefined {
  if (!isObject(value)) return undefined;
  const { content = [], structuredContent, isError } = value;
  if (!Array.isArray(content) || !content.every(isContent)) return undefined;
  return {
    content,
    ...(isObject(structuredContent) && { structuredContent }),
    ...(isError === true && { isError }),
  };
}

/** The library's own schema refuses kinds of content that it does not know; by this one they pass. */
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
