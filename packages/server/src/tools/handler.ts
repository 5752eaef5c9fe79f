import type { Mcp } from '../mcp-client/mcp-tool.js';
import type { Send } from '../upstream/request.js';

export type { Mcp, McpContent, McpResult, McpTool } from '../mcp-client/mcp-tool.js';
export type { Send, UpstreamRequest } from '../upstream/request.js';

/**
 * Functions for a handler, which is the code of a tool. Tests replace clock, random ids and pauses, so that a handler
 * sends identical requests in every run of its examples.
 */
export interface HandlerContext {
  readonly now: () => Date;
  readonly randomId: () => string;
  readonly sleep: (ms: number) => Promise<void>;
  /**
   * Client of the connector's MCP server. The client's methods throw internal_error if the connector has no MCP server.
   */
  readonly mcp: Mcp;
  /**
   * Downloads a file by a signed link of the upstream, without sending a credential. Throws if the link's host is not
   * in the connector's list of file hosts.
   */
  readonly download: (link: string, mostBytes: number) => Promise<Buffer>;
  /** Reserves memory for bytes that the handler unpacks. Throws unavailable if the service has too little memory. */
  readonly takeMemory: (bytes: number) => void;
}

/**
 * Code of a tool whose requests the JSON tool files of the catalogue cannot describe. A handler gets no credentials and
 * no storage, and reaches the network only by `send`, `mcp` and `download`.
 */
export type Handler<Input> = (input: Input, send: Send, context: HandlerContext) => Promise<unknown>;
