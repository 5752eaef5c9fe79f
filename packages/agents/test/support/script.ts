/** Message of a scripted model: a tool call or a text. */
export type Turn =
  | { readonly call: string; readonly input: Readonly<Record<string, unknown>> }
  | { readonly text: string };

/** Scripted model, which returns fixed messages regardless of its input. */
export interface Script {
  /** Messages that the model received in each turn, in the vendor's format. */
  readonly told: unknown[];
  /** Records what the model receives, and returns the next message with its number. */
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
