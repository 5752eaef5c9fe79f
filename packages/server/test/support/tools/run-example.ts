import {
  bindArguments,
  type Catalog,
  dataOf,
  type Example,
  mcpData,
  type SentRequest,
  type Tool,
  type ToolVersion,
} from '@svc/catalog';
import type { HandlerContext, Mcp, McpResult, McpTool } from '../../../src/tools/handler.js';
import { handlers } from '../../../src/tools/handlers/all-handlers.js';
import { runRequests } from '../../../src/tools/run-requests.js';
import type { HandlerTable } from '../../../src/tools/run-tool.js';
import { type Exchange, toSend } from '../../../src/tools/send-request.js';
import type { UpstreamRequest } from '../../../src/upstream/request.js';

/** Current time for all examples of tools, so that their results do not change. */
export const now = () => new Date('2026-11-20T12:00:00Z');
const table: HandlerTable = handlers;

/** Upstream request that a tool sent. */
export type Sent = UpstreamRequest | SentRequest;

function createContext(mcp: Mcp, exchange: Exchange, replyTo: (request: Sent) => unknown): HandlerContext {
  let count = 0;
  return {
    mcp,
    // Examples describe a download as a request with the method `DOWNLOAD` and the link as its path. The reply is the
    // file's text.
    download: async (path) => Buffer.from(String(replyTo({ method: 'DOWNLOAD', path }))),
    exchange,
    readLink: () => Promise.reject(new Error('No example opens a link.')),
    takeMemory: () => undefined,
    now,
    sleep: async () => undefined,
    randomId: () => {
      count += 1;
      return `id-${count}`;
    },
  };
}

/**
 * Normalizes a request for comparison: drops `undefined` fields, and adds an empty query and empty headers where they
 * are missing.
 */
export function plain({ query, headers, ...request }: Partial<Sent>): unknown {
  return JSON.parse(JSON.stringify({ ...request, query: query ?? {}, headers: headers ?? {} }));
}

/** Runs a tool's example against its recorded replies, and returns the sent requests and the data. */
export async function runExample(
  catalog: Catalog,
  tool: Tool,
  { example, toolVersion }: { readonly example: Example; readonly toolVersion?: string },
): Promise<{ readonly version: ToolVersion; readonly sent: readonly Sent[]; readonly data: unknown }> {
  const replies = example.replies ?? [example.reply];
  const sent: Sent[] = [];
  const replyTo = (request: Sent): unknown => {
    sent.push(request);
    return structuredClone(replies[sent.length - 1]);
  };
  const headers = example.replyHeaders ?? {};
  const exchange: Exchange = async (request) => ({ status: 200, body: replyTo(request), headers });
  // Examples describe an MCP tool call as a request with the method `MCP` and the tool as its path. The path
  // `tools/list` lists the tools.
  const mcp: Mcp = {
    tools: async () => (replyTo({ method: 'MCP', path: 'tools/list' }) as { tools: McpTool[] }).tools,
    call: async (path, args) => replyTo({ method: 'MCP', path, body: { arguments: args } }) as McpResult,
  };
  const { version, input } = catalog.resolveCall(tool, {
    toolInput: example.input,
    schemaVersion: example.version,
    toolVersion,
  });
  const run = async () => {
    if (version.mcp) {
      const result = await mcp.call(version.mcp.tool, bindArguments(version.mcp, input));
      return dataOf(version.response, { input, response: mcpData(result, version.mcp) });
    }
    if (version.handler)
      return table[tool.name]?.(input as never, toSend(exchange), createContext(mcp, exchange, replyTo));
    return runRequests({ version, input, schema: catalog.plainInputSchemaOf(tool, version) }, exchange);
  };
  return { version, sent, data: await run() };
}
