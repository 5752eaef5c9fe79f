import { isTooDeep } from '../is-too-deep.js';
import { isJsonObject, type JsonObject } from '../json-schema.js';
import { parseJson } from '../parse-json.js';

/** Maximum number of nesting levels of JSON in a text block of an MCP result. MCP responses have an equal limit. */
const DEEPEST = 200;

/** Result of a call of an upstream MCP tool. */
export interface McpResult {
  readonly structuredContent?: Readonly<JsonObject> | undefined;
  readonly content: readonly { readonly type: string; readonly text?: string | undefined }[];
}

/**
 * Returns the structured result of an MCP call, or otherwise its text blocks. `json`: a JSON object in the first text
 * block counts as the structured result.
 */
export function mcpData(
  { structuredContent, content }: McpResult,
  { json = false }: { readonly json?: boolean | undefined } = {},
): Readonly<JsonObject> {
  const structured = structuredContent ?? (json ? objectIn(content[0]?.text) : undefined);
  if (structured !== undefined) return structured;
  const texts = content.filter(({ type }) => type === 'text').map(({ text = '' }) => text);
  return { text: texts.join(''), content };
}

function objectIn(text = ''): JsonObject | undefined {
  try {
    const parsed = parseJson(text);
    return isJsonObject(parsed) && !isTooDeep(parsed, DEEPEST) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
