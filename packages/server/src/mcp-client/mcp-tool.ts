/** A tool as an MCP server lists it. */
export interface McpTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** JSON Schema of its arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** A call of a tool. */
export interface McpCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Present where the session needs definitions. */
  readonly definition?: McpTool | undefined;
}

/** One block of a result. Fields of types other than text are kept. */
export interface McpContent {
  readonly type: string;
  readonly text?: string;
}

export interface McpResult {
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly content: readonly McpContent[];
  readonly isError?: boolean;
}

interface McpCallOptions {
  /** Deadline of this call. Default: the deadline of the tool. */
  readonly timeoutMs?: number;
}

/** The MCP server of an upstream, as one account sees it. */
export interface Mcp {
  /** Tools of the server, cached per connection. */
  tools(): Promise<readonly McpTool[]>;
  /**
   * Throws upstream_failed for a result with `isError` (status 200, the result as body), a JSON-RPC error (its code in the
   * body) and an HTTP error.
   */
  call(name: string, args: Readonly<Record<string, unknown>>, options?: McpCallOptions): Promise<McpResult>;
}
