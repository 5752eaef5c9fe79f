/** One message of a scripted model: a tool call or a text. */
export type Turn =
  | { readonly call: string; readonly input: Readonly<Record<string, unknown>> }
  | { readonly text: string };

/** A model that says what stands in its script, whatever it is told. */
export interface Script {
  /** Messages that the model received in each turn, in the vendor's format. */
  readonly told: unknown[];
  /** Takes down what it is told, and gives the next turn with a number. */
  next(told: unknown): { readonly turn: Turn; readonly index: number };
}

export function createScript(turns: readonly Turn[]): Script {
  const told: unknown[] = [];
  return {
    told,
    next: (given) => {
      // Copies the messages, because a framework may append the next ones to the same list.
      told.push(JSON.parse(JSON.stringify(given)));
      const turn = turns[told.length - 1];
      if (turn === undefined) throw new Error('The script has no further turn.');
      return { turn, index: told.length };
    },
  };
}
