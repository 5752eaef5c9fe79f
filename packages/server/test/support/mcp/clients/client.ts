/** Endpoint, token and call for a client program. */
export interface ToolCall {
  readonly url: string;
  readonly token: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Names of the listed tools and the result of the call, as the client program or its model receives them. */
export interface Seen {
  readonly names: readonly string[];
  readonly result: unknown;
}

/** Third-party MCP client that lists the tools of an endpoint and calls one of them. */
export type Client = (call: ToolCall) => Promise<Seen>;
