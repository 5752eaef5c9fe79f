import type { McpResult } from './handler.js';

/** What the caller of a tool gets: the structured result where there is one, else the text blocks as they came. */
export function mcpData({ structuredContent, content }: McpResult): Readonly<Record<string, unknown>> {
  if (structuredContent !== undefined) return structuredContent;
  const texts = content.filter(({ type }) => type === 'text').map(({ text = '' }) => text);
  return { text: texts.join(''), content };
}
