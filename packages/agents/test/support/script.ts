/** What a scripted model says: it calls a tool, or answers. */
export type Turn =
  | { readonly call: string; readonly input: Readonly<Record<string, unknown>> }
  | { readonly text: string };

/** A model that says what stands in its script, whatever it is told. */
export interface Script {
  /** What it was told in each turn, as the vendor would get it. */
  readonly told: unknown[];
  /** Takes down what it is told, and gives the next turn with a number. */
  next(told: unknown): { readonly turn: Turn; readonly index: number };
}

export function createScript(turns: readonly Turn[]): Script {
  const told: unknown[] = [];
  return {
    told,
    next: (given) => {
      // What is told next is often added to the same list.
      told.push(JSON.parse(JSON.stringify(given)));
      const turn = turns[told.length - 1];
      if (turn === undefined) throw new Error('The script has no further turn.');
      return { turn, index: told.length };
    },
  };
}
