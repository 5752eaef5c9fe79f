/** Tool as an upstream MCP server lists it. */
export interface McpTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** JSON Schema of the tool's arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** Call of a tool of an upstream MCP server. */
export interface McpCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /**
   * Definition of the called tool from the MCP server's list of tools. Present if the session needs it to build request
   * headers.
   */
  readonly definition?: McpTool | undefined;
}

/** Content block of an MCP tool result, such as a text or an image. Properties of unknown content types are kept. */
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
  /** Timeout of this MCP tool call in milliseconds. Default: the timeout that the service's tool has. */
  readonly timeoutMs?: number;
}

/** Access to an upstream's MCP server with the credential of one connected account. */
export interface Mcp {
  /** Lists the tools of the MCP server. The list is cached per connection. */
  tools(): Promise<readonly McpTool[]>;
  /**
   * Calls a tool. Throws upstream_failed for a result with `isError`, a JSON-RPC error or an HTTP error. The error's
   * `body` is the tool result or contains the JSON-RPC code.
   */
  call(name: string, args: Readonly<Record<string, unknown>>, options?: McpCallOptions): Promise<McpResult>;
}
