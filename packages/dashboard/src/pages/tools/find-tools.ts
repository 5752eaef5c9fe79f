import type { ToolSummary } from '../../api/catalogue.ts';

export type Hints = ToolSummary['hints'];

/** Effects that a tool can have, from harmless to destructive. */
export const EFFECTS = [
  { value: 'reads', title: 'Read-only' },
  { value: 'changes', title: 'Writes' },
  { value: 'destroys', title: 'Destructive' },
] as const;
export type Effect = (typeof EFFECTS)[number]['value'];

export const effectOf = ({ readOnly, destructive }: Hints): Effect =>
  readOnly ? 'reads' : destructive ? 'destroys' : 'changes';

interface Filter {
  /** Words that must all occur in a tool's name, title or description. */
  readonly words: string;
  readonly connector: string;
  readonly effect: string;
}

const textOf = ({ name, title, description }: ToolSummary) => `${name} ${title} ${description}`.toLowerCase();

/** Returns the tools that match the filter. Tools with a match in their name or title come first. */
export function findTools(tools: readonly ToolSummary[], filter: Filter): readonly ToolSummary[] {
  const words = filter.words.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (text: string) => words.every((word) => text.includes(word));
  const matches = tools.filter(
    (tool) =>
      (filter.connector === '' || tool.connector === filter.connector) &&
      (filter.effect === '' || effectOf(tool.hints) === filter.effect) &&
      has(textOf(tool)),
  );
  const inName = ({ name, title }: ToolSummary) => has(`${name} ${title}`.toLowerCase());
  return [...matches.filter(inName), ...matches.filter((tool) => !inName(tool))];
}

export const firstSentence = (text: string): string => /^.*?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text;
