import {
  type CallToolRequest,
  type CallToolResult,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { McpTool, ReportProgress } from './tool.js';

interface McpServerDefinition {
  readonly name: string;
  readonly version: string;
  readonly tools: readonly McpTool[];
  readonly readResource?: ((uri: string) => ReadResourceResult) | undefined;
}

/**
 * Creates an MCP server for one session. Unknown tools and invalid arguments get a JSON-RPC error, as in the emulated
 * services.
 */
export function createMcpServer({ name, version, tools, readResource }: McpServerDefinition): McpServer {
  const capabilities = { tools: {}, ...(readResource && { resources: {} }) };
  const mcp = new McpServer({ name, version }, { capabilities });
  mcp.server.setRequestHandler('tools/list', () => ({ tools: tools.map(listed) }));
  mcp.server.setRequestHandler('tools/call', (request, context) => callTool(tools, request, context));
  if (readResource) mcp.server.setRequestHandler('resources/read', ({ params }) => readResource(params.uri));
  return mcp;
}

function listed({ name, description, input, annotations }: McpTool): Tool {
  // The cast is safe because a Zod object schema always becomes a JSON Schema with `type: object`.
  const inputSchema = z.toJSONSchema(input, { io: 'input' }) as Tool['inputSchema'];
  return { name, description, annotations, inputSchema };
}

async function callTool(
  tools: readonly McpTool[],
  { params }: CallToolRequest,
  context: ServerContext,
): Promise<CallToolResult> {
  const tool = tools.find(({ name, aliases }) => name === params.name || aliases?.includes(params.name));
  if (tool === undefined)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool ${params.name} not found`);
  const input = params.arguments ?? {};
  const { error } = tool.input.safeParse(input);
  if (error === undefined) return tool.call(input, progressReport(context));
  const problems = z.prettifyError(error);
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Invalid arguments for tool ${params.name}: ${problems}`,
  );
}

function progressReport({ mcpReq }: ServerContext): ReportProgress {
  const progressToken = mcpReq._meta?.progressToken;
  return async (progress, total, message) => {
    if (progressToken === undefined) return;
    await mcpReq.notify({
      method: 'notifications/progress',
      params: { progressToken, progress, total, message },
    });
  };
}
