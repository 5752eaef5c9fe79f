/** A tool of an MCP server, as its list has it. */
export interface McpTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** A JSON Schema of its arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** A call of a tool. */
export interface McpCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** As the server lists it, where the call needs it. */
  readonly definition?: McpTool | undefined;
}

/** One block of a result; other types than text have other fields, which are kept. */
export interface McpContent {
  readonly type: string;
  readonly text?: string;
}

export interface McpResult {
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly content: readonly McpContent[];
  readonly isError?: boolean;
}

export interface McpCallOptions {
  /** Of this call alone; the tool's own deadline when absent. */
  readonly timeoutMs?: number;
}

/** The upstream's MCP server as one account sees it. */
export interface Mcp {
  /** The tools of the server, kept for a while for the whole connection. */
  tools(): Promise<readonly McpTool[]>;
  /**
   * Calls a tool. Throws upstream_failed for a result with `isError` (status 200, the result as body), for a JSON-RPC error
   * (its code in the body) and for an HTTP error.
   */
  call(name: string, args: Readonly<Record<string, unknown>>, options?: McpCallOptions): Promise<McpResult>;
}
