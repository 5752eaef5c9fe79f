/** Endpoint, token and call for a client program. */
export interface Asked {
  readonly url: string;
  readonly token: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** The tools of an endpoint and the result of a call, as a program or a model sees them. */
export interface Seen {
  readonly names: readonly string[];
  readonly told: unknown;
}

/** A client that somebody else wrote: lists the tools behind a door, and calls one. */
export type Client = (asked: Asked) => Promise<Seen>;
