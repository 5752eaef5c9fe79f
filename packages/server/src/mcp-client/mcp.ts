import { LRUCache } from 'lru-cache';
import { toFinal } from '../upstream/to-final.js';
import { isStaleDefinition, isUnknownTool, mcpToolFailed, mcpToolUnknown, toMcpError } from './mcp-error.js';
import { createMcpSessions, type McpContext, type McpSessionsParts, type McpWork } from './mcp-sessions.js';
import type { Mcp, McpCall, McpResult, McpTool } from './mcp-tool.js';

export type { McpContext } from './mcp-sessions.js';

/** The MCP server of the account's connection. */
export type OpenMcp = (context: McpContext) => Mcp;

const LIST_LIFE_MS = 60 * 60_000;
const MOST_LISTS = 1000;
const MIB = 1024 * 1024;
const MOST_BYTES_OF_A_LIST = 2 * MIB;
const MOST_BYTES_OF_LISTS = 32 * MIB;

const listKey = ({ account }: McpContext) => `${account.connectionId} ${account.baseUrl}`;

/** MCP servers as upstreams. The list of tools is read once for each connection, and again after a call that did not find its tool. */
export function createMcp(parts: McpSessionsParts): OpenMcp {
  const withSession = createMcpSessions(parts);
  const lists = new LRUCache<string, Promise<readonly McpTool[]>>({
    max: MOST_LISTS,
    maxSize: MOST_BYTES_OF_LISTS,
    ttl: LIST_LIFE_MS,
  });

  async function run<Result>(context: McpContext, work: McpWork<Result>): Promise<Result> {
    try {
      return await withSession(context, work);
    } catch (error) {
      throw toFinal(toMcpError(error, context.connector), context.connector);
    }
  }

  function read(context: McpContext): Promise<readonly McpTool[]> {
    const key = listKey(context);
    // Others wait for it too: it goes on when the caller goes away.
    const bounded = { ...context, signal: undefined, mostBytes: MOST_BYTES_OF_A_LIST };
    const reading = run(bounded, (session, options) => session.list(options));
    lists.set(key, reading, { size: MOST_BYTES_OF_A_LIST });
    const settle = (size: number) => {
      if (lists.peek(key) !== reading) return;
      if (size === 0) lists.delete(key);
      else lists.set(key, reading, { size });
    };
    reading.then(
      (tools) => settle(JSON.stringify(tools).length),
      () => settle(0),
    );
    return reading;
  }

  function list(context: McpContext): Promise<readonly McpTool[]> {
    // It is read as one account: what kept that one from it says nothing about another, and is none of its business.
    return lists.get(listKey(context))?.catch(() => read(context)) ?? read(context);
  }

  async function findDefinition(context: McpContext, name: string): Promise<McpTool> {
    const find = async () => (await list(context)).find((tool) => tool.name === name);
    const known = await find();
    if (known) return known;
    lists.delete(listKey(context));
    const found = await find();
    if (found) return found;
    throw mcpToolUnknown(name, context.connector);
  }

  const call = (context: McpContext, { name, args }: McpCall): Promise<McpResult> =>
    run(context, async (session, options) => {
      const definition = session.needsDefinitions ? await findDefinition(context, name) : undefined;
      return session.call({ name, args, definition }, options);
    });

  // Headers that do not fit come from a list that is old, and the server has done nothing.
  async function callByNewList(context: McpContext, made: McpCall): Promise<McpResult> {
    try {
      return await call(context, made);
    } catch (error) {
      if (!isStaleDefinition(error)) throw error;
      lists.delete(listKey(context));
      return call(context, made);
    }
  }

  return (context) => ({
    tools: () => list(context),

    call: async (name, args, { timeoutMs = context.timeoutMs } = {}) => {
      try {
        const result = await callByNewList({ ...context, timeoutMs }, { name, args });
        if (result.isError) throw mcpToolFailed(result, context.connector);
        return result;
      } catch (error) {
        if (isUnknownTool(error)) lists.delete(listKey(context));
        throw error;
      }
    },
  });
}
