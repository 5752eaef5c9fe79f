import type { ToolSummary } from '../../api/catalogue.ts';

export type Hints = ToolSummary['hints'];

/** The effects of a tool, from harmless to destructive. */
export const EFFECTS = [
  { value: 'reads', title: 'Reads only' },
  { value: 'changes', title: 'Makes changes' },
  { value: 'destroys', title: 'Destructive' },
] as const;
export type Effect = (typeof EFFECTS)[number]['value'];

export const effectOf = ({ readOnly, destructive }: Hints): Effect =>
  readOnly ? 'reads' : destructive ? 'destroys' : 'changes';

interface Wanted {
  /** The words to find in a tool's name, title or description; all must match. */
  readonly words: string;
  readonly connector: string;
  readonly effect: string;
}

const textOf = ({ name, title, description }: ToolSummary) => `${name} ${title} ${description}`.toLowerCase();

/** The matching tools; those with the words in name or title come first. */
export function findTools(tools: readonly ToolSummary[], wanted: Wanted): readonly ToolSummary[] {
  const words = wanted.words.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (text: string) => words.every((word) => text.includes(word));
  const found = tools.filter(
    (tool) =>
      (wanted.connector === '' || tool.connector === wanted.connector) &&
      (wanted.effect === '' || effectOf(tool.hints) === wanted.effect) &&
      has(textOf(tool)),
  );
  const isNamed = ({ name, title }: ToolSummary) => has(`${name} ${title}`.toLowerCase());
  return [...found.filter(isNamed), ...found.filter((tool) => !isNamed(tool))];
}

export const firstSentence = (text: string): string => /^.*?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text;
