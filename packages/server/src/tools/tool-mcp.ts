import type { McpContext, OpenMcp } from '../mcp-client/mcp.js';
import type { Mcp } from './handler.js';
import { noMcp } from './no-mcp.js';
import type { Repeat } from './repeat.js';

export interface ToolMcpContext extends McpContext {
  readonly isReadOnly: boolean;
  readonly repeat: Repeat;
}

/** What a tool calls an MCP server with; a call that changes something is repeated only where the connector says so. */
export function createToolMcp(openMcp: OpenMcp, { isReadOnly, repeat, ...context }: ToolMcpContext): Mcp {
  if (context.connector.mcp === undefined) return noMcp;
  const mcp = openMcp(context);
  return {
    tools: () => repeat({ isRead: true, run: mcp.tools }),
    call: (name, args, options) => repeat({ isRead: isReadOnly, run: () => mcp.call(name, args, options) }),
  };
}
