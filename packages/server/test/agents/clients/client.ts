/** Who asks for what, and where. */
export interface Asked {
  readonly url: string;
  readonly token: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What a program or a model gets to see of the tools behind a door, and of a call of one of them. */
export interface Seen {
  readonly names: readonly string[];
  readonly told: unknown;
}

/** A client that somebody else wrote: lists the tools behind a door, and calls one. */
export type Client = (asked: Asked) => Promise<Seen>;
