import { ServiceError } from '../errors.js';
import type { Mcp } from './handler.js';

const refuse = async (): Promise<never> => {
  throw new ServiceError(
    'internal_error',
    'The handler of this tool calls an MCP server, but the connector.json of its connector has no "mcp".',
  );
};

/** What a handler gets when its connector has no MCP server. */
export const noMcp: Mcp = { tools: refuse, call: refuse };
