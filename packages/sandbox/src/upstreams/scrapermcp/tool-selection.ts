import type { McpTool } from '../../mcp/tool.js';
import { type Actor, fullName } from './actor.js';
import { findActor } from './actors.js';

const LOADED_WITH: Readonly<Record<string, readonly string[]>> = {
  'call-actor': ['get-actor-output', 'call-actor-mcp-tool'],
};
/** Tools that search only public data and therefore work without a token. */
const FREE_TOOLS = ['search-actors', 'fetch-actor-details', 'search-apify-docs', 'fetch-apify-docs'];

/** Names of the tool that runs one actor. The alias is the name in earlier server versions, which is still accepted. */
export const toolNamesOf = (actor: Actor) => ({
  name: fullName(actor).replaceAll('.', '-dot-').replace('/', '--'),
  aliases: [fullName(actor).replaceAll('.', '-dot-').replace('/', '-slash-')],
});

function selectorsIn(url: string): readonly string[] | undefined {
  const tools = new URL(url, 'http://sandbox').searchParams.get('tools');
  return tools?.split(',').map((selector) => selector.trim());
}

/**
 * Returns the tools that the URL parameter `tools` selects, or all tools without it. An unknown tool name is treated as
 * an actor name.
 */
export function selectTools(
  tools: readonly McpTool[],
  url: string,
  toolOf: (actor: Actor) => McpTool,
): readonly McpTool[] {
  const selectors = selectorsIn(url);
  if (selectors === undefined) return tools;
  const selected = selectors.flatMap((selector) => {
    const known = tools.filter(({ name }) => name === selector || LOADED_WITH[selector]?.includes(name));
    const actor = known.length === 0 ? findActor(selector) : undefined;
    return actor === undefined ? known : toolOf(actor);
  });
  return [...new Map(selected.map((tool) => [tool.name, tool])).values()];
}

/** Returns true if the URL selects only tools that work without a token. */
export function needsNoToken(url: string): boolean {
  return selectorsIn(url)?.every((selector) => FREE_TOOLS.includes(selector)) ?? false;
}
