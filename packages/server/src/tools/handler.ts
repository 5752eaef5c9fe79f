import type { Mcp } from '../mcp-client/mcp-tool.js';
import type { LinkedFile } from '../upstream/linked-file.js';
import type { Link } from '../upstream/read-link.js';
import type { Send } from '../upstream/request.js';
import type { Exchange } from './send-request.js';

export type { Mcp, McpContent, McpResult, McpTool } from '../mcp-client/mcp-tool.js';
export type { LinkedChunk, LinkedFile } from '../upstream/linked-file.js';
export type { Link } from '../upstream/read-link.js';
export type { Send, UpstreamRequest } from '../upstream/request.js';
export type { Exchange } from './send-request.js';

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
  /** Sends one request, like `send`, and resolves to the status, the headers and the body of the response. */
  readonly exchange: Exchange;
  /**
   * Opens the file behind a link of the caller, without sending a credential, and passes the file to `use`. Throws
   * invalid_input if the link cannot be read.
   */
  readonly readLink: <Result>(link: Link, use: (file: LinkedFile) => Promise<Result>) => Promise<Result>;
  /** Reserves memory for bytes that the handler unpacks. Throws unavailable if the service has too little memory. */
  readonly takeMemory: (bytes: number) => void;
}

/**
 * Code of a tool whose requests the JSON tool files of the catalogue cannot describe. A handler gets no credentials and
 * no storage, and reaches the network only by `send` and the functions of its context.
 */
export type Handler<Input> = (input: Input, send: Send, context: HandlerContext) => Promise<unknown>;
