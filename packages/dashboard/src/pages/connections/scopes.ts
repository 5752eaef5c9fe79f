import type { Connector, Tool } from '../../api/catalogue.ts';

/** What is asked of a tool here. */
export type ScopedTool = Pick<Tool, 'name' | 'title' | 'scopes'>;

/** The tools that the scope opens: of its scopes a tool needs one. */
export const toolsOpenedBy = (scope: string, tools: readonly ScopedTool[]): readonly ScopedTool[] =>
  tools.filter(({ scopes }) => scopes.includes(scope));

/** The tools that do not work with these scopes. */
export const toolsWithout = (
  chosen: readonly string[],
  tools: readonly ScopedTool[],
): readonly ScopedTool[] =>
  tools.filter(({ scopes }) => scopes.length > 0 && !scopes.some((scope) => chosen.includes(scope)));

/** Those of the chosen scopes that the connector has no words for. */
export const furtherScopes = (
  chosen: readonly string[],
  { scopes }: Pick<Connector, 'scopes'>,
): readonly string[] => chosen.filter((scope) => !scopes.some(({ name }) => name === scope));

/** Scopes as people type them: apart by spaces, commas or lines. */
export const readScopes = (text: string): readonly string[] => [
  ...new Set(text.split(/[\s,]+/).filter((scope) => scope !== '')),
];
