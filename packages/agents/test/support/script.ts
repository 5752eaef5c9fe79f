/** Reply of a scripted model: a tool call or a text. */
export type Reply =
  | { readonly call: string; readonly input: Readonly<Record<string, unknown>> }
  | { readonly text: string };

/** Scripted model, which returns fixed replies regardless of its input. */
export interface Script {
  /** Requests that the model received, one for each reply, in the vendor's format. */
  readonly received: unknown[];
  /** Records the request to the model, and returns the next reply with its number. */
  next(request: unknown): { readonly reply: Reply; readonly index: number };
}

export function createScript(replies: readonly Reply[]): Script {
  const received: unknown[] = [];
  return {
    received,
    next: (request) => {
      // Copies the request, because a framework may append later messages to the same list.
      received.push(JSON.parse(JSON.stringify(request)));
      const reply = replies[received.length - 1];
      if (reply === undefined) throw new Error('The script contains no further reply.');
      return { reply, index: received.length };
    },
  };
}
