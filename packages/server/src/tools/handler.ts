import type { Mcp } from '../mcp-client/mcp-tool.js';
import type { Send } from '../upstream/request.js';

export type { Mcp, McpContent, McpResult, McpTool } from '../mcp-client/mcp-tool.js';
export type { Send, UpstreamRequest } from '../upstream/request.js';

/** Time, ids and pauses come from here, so that a handler sends the same requests in every run of its examples. */
export interface HandlerContext {
  readonly now: () => Date;
  readonly randomId: () => string;
  readonly sleep: (ms: number) => Promise<void>;
  /** MCP server of the connector. Its calls throw internal_error where the connector has none. */
  readonly mcp: Mcp;
  /** Downloads a file by a signed link of the upstream, without a credential. Throws for a link to any host that stores no files. */
  readonly download: (link: string, mostBytes: number) => Promise<Buffer>;
  /** Takes memory for bytes that the handler unpacks. Throws unavailable when there is too little. */
  readonly takeMemory: (bytes: number) => void;
}

/** Tool whose requests JSON cannot express. It gets no credentials, no storage, and no network but `send`, `mcp` and `download`. */
export type Handler<Input> = (input: Input, send: Send, context: HandlerContext) => Promise<unknown>;
