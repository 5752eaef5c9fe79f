import type { Surface } from './surface.js';

const MOST_CHARACTERS = 2000;

/** What a model should know of the tools, before it sees any of them. */
export function instructionsOf(
  { reach, tools, isBehind }: Surface,
  titleOf: (connector: string) => string,
): string {
  const used = new Set([...tools.values()].map(({ connector }) => connector));
  const several = [...reach].filter(([connector, names]) => used.has(connector) && names.length > 1);
  const titles = [...used].map((connector) => `${connector} (${titleOf(connector)})`).join(', ');
  return [
    `Tools that act for one user in: ${titles}. A tool is named after its service.`,
    isBehind && 'Find tools by search_tools, see their inputs by describe_tool, and call them by call_tool.',
    'When a result says account_not_authorized, show the user its link, and call again when they have approved.',
    several.length > 0 &&
      `The user has several accounts of ${several.map(([id]) => id).join(', ')}: ask which is meant.`,
    'When a result says that there is more, its next page is asked for as it says.',
  ]
    .filter((sentence) => sentence !== false)
    .join(' ')
    .slice(0, MOST_CHARACTERS);
}
