import type { McpTool } from '../../mcp/tool.js';
import { type Actor, fullName } from './actor.js';
import { findActor } from './actors.js';

const LOADED_WITH: Readonly<Record<string, readonly string[]>> = {
  'call-actor': ['get-actor-output', 'call-actor-mcp-tool'],
};
/** Tools that only search public data. */
const FREE_TOOLS = ['search-actors', 'fetch-actor-details', 'search-apify-docs', 'fetch-apify-docs'];

/** The names of the tool that runs one actor: that of today, and that of earlier versions, which is taken too. */
export const toolNamesOf = (actor: Actor) => ({
  name: fullName(actor).replaceAll('.', '-dot-').replace('/', '--'),
  aliases: [fullName(actor).replaceAll('.', '-dot-').replace('/', '-slash-')],
});

function selectorsIn(url: string): readonly string[] | undefined {
  const asked = new URL(url, 'http://sandbox').searchParams.get('tools');
  return asked?.split(',').map((selector) => selector.trim());
}

/** The tools that the address asks for by `tools`; all of them when it does not. A word that names none is taken for an actor. */
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

/** Returns whether the URL requests only tools that work without a token. */
export function needsNoToken(url: string): boolean {
  return selectorsIn(url)?.every((selector) => FREE_TOOLS.includes(selector)) ?? false;
}
