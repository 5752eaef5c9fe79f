import type { McpTool } from '../../mcp/tool.js';

const TOOL_OF_SELECTOR: Readonly<Record<string, readonly string[]>> = {
  'apify/rag-web-browser': ['apify--rag-web-browser', 'apify-slash-rag-web-browser'],
  // Loaded with the tool that makes output, as long as it exists.
  'call-actor': ['call-actor', 'get-actor-output'],
};

/** The tools that the address asks for by `tools`; all of them when it does not. Words that name none are passed over. */
export function selectTools(tools: readonly McpTool[], url: string): readonly McpTool[] {
  const asked = new URL(url, 'http://sandbox').searchParams.get('tools');
  if (asked === null) return tools;
  const names = asked.split(',').flatMap((selector) => TOOL_OF_SELECTOR[selector] ?? selector);
  return tools.filter(({ name }) => names.includes(name));
}
