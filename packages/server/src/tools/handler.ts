import type { Mcp } from '../mcp-client/mcp-tool.js';
import type { Send } from '../upstream/request.js';

export type { Mcp, McpCallOptions, McpContent, McpResult, McpTool } from '../mcp-client/mcp-tool.js';
export type { Send, UpstreamRequest } from '../upstream/request.js';

/** What a handler may not make itself, so that its examples give the same requests every time. */
export interface HandlerContext {
  readonly now: () => Date;
  readonly randomId: () => string;
  readonly sleep: (ms: number) => Promise<void>;
  /** The MCP server of the connector. Every call of it fails with internal_error where the connector has none. */
  readonly mcp: Mcp;
}

/** A tool whose input no binding can express. It gets no credentials, no storage and no network but `send` and `mcp`. */
export type Handler<Input> = (input: Input, send: Send, context: HandlerContext) => Promise<unknown>;
