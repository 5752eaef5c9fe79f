import { LRUCache } from 'lru-cache';
import { toFinal } from '../upstream/to-final.js';
import {
  isStaleDefinition,
  isUnknownTool,
  isWrongArguments,
  mcpToolFailed,
  mcpToolUnknown,
  toMcpError,
} from './mcp-error.js';
import type { McpContext, McpWork, WithMcpSession } from './mcp-sessions.js';
import type { Mcp, McpCall, McpResult, McpTool } from './mcp-tool.js';
import type { NoteToolList } from './tool-list-changes.js';

const LIST_LIFE_MS = 60 * 60_000;
const MAX_LISTS = 1000;
// Minimum time in milliseconds between two drops of a list because of wrong arguments. The arguments are usually a
// mistake of the caller, who may repeat it, and only rarely the result of an outdated list.
const DROP_MS = 60_000;
const MIB = 1024 * 1024;
const MAX_LIST_BYTES = 2 * MIB;
const MAX_LISTS_BYTES = 32 * MIB;

const listKey = ({ account }: McpContext) => `${account.connectionId} ${account.baseUrl}`;

/**
 * Creates the access to upstream MCP servers. The list of a server's tools is cached per connection, and read again if
 * a call does not find its tool.
 */
export function createOpenMcp(withMcpSession: WithMcpSession, noteToolList: NoteToolList) {
  const lists = new LRUCache<string, Promise<readonly McpTool[]>>({
    max: MAX_LISTS,
    maxSize: MAX_LISTS_BYTES,
    ttl: LIST_LIFE_MS,
  });

  const dropped = new LRUCache<string, true>({ max: MAX_LISTS, ttl: DROP_MS });

  /** Drops the list of tools if the error of a call says or suggests that the list is outdated. */
  function dropIfOutdated(context: McpContext, name: string, error: unknown): void {
    const key = listKey(context);
    if (!isUnknownTool(error, name)) {
      if (!isWrongArguments(error) || dropped.has(key)) return;
      dropped.set(key, true);
    }
    lists.delete(key);
  }

  async function run<Result>(context: McpContext, work: McpWork<Result>): Promise<Result> {
    try {
      return await withMcpSession(context, work);
    } catch (error) {
      throw toFinal(toMcpError(error, context.connector), context.connector);
    }
  }

  async function readAndNote(context: McpContext): Promise<readonly McpTool[]> {
    const tools = await run(context, (session, options) => session.list(options));
    await noteToolList(context, tools);
    return tools;
  }

  function read(context: McpContext): Promise<readonly McpTool[]> {
    const key = listKey(context);
    // Reading the MCP server's list of tools continues if this caller disconnects, because other callers may wait for
    // the same list.
    const bounded = { ...context, signal: undefined, mostBytes: MAX_LIST_BYTES };
    const reading = readAndNote(bounded);
    lists.set(key, reading, { size: MAX_LIST_BYTES });
    const isCurrent = () => lists.peek(key) === reading;
    reading.then(
      (tools) => isCurrent() && lists.set(key, reading, { size: JSON.stringify(tools).length }),
      () => isCurrent() && lists.delete(key),
    );
    return reading;
  }

  function list(context: McpContext): Promise<readonly McpTool[]> {
    // If another account's request for the list of tools failed, this account reads the list itself, because its
    // credential may work.
    return lists.get(listKey(context))?.catch(() => read(context)) ?? read(context);
  }

  async function findDefinition(context: McpContext, name: string): Promise<McpTool> {
    const find = async () => (await list(context)).find((tool) => tool.name === name);
    const known = await find();
    if (known) return known;
    lists.delete(listKey(context));
    const tool = await find();
    if (tool) return tool;
    throw mcpToolUnknown(name, context.connector);
  }

  function callOnce(context: McpContext, { name, args }: McpCall): Promise<McpResult> {
    return run(context, async (session, options) => {
      const definition = session.needsDefinitions ? await findDefinition(context, name) : undefined;
      return session.call({ name, args, definition }, options);
    });
  }

  /**
   * Calls an MCP tool. Repeats the call if the server rejected its headers because the cached tool definition was
   * outdated. The repetition is safe, because the server rejected the first call before running it.
   */
  async function callByCurrentList(context: McpContext, call: McpCall): Promise<McpResult> {
    try {
      return await callOnce(context, call);
    } catch (error) {
      if (!isStaleDefinition(error)) throw error;
      lists.delete(listKey(context));
      return callOnce(context, call);
    }
  }

  /** Opens the MCP server of the account's connection for one tool call. */
  return function openMcp(context: McpContext): Mcp {
    return {
      tools: () => list(context),

      call: async (name, args, { timeoutMs = context.timeoutMs } = {}) => {
        try {
          const result = await callByCurrentList({ ...context, timeoutMs }, { name, args });
          if (result.isError) throw mcpToolFailed(result, context.connector);
          return result;
        } catch (error) {
          dropIfOutdated(context, name, error);
          throw error;
        }
      },
    };
  };
}

export type OpenMcp = ReturnType<typeof createOpenMcp>;
