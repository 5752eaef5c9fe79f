import {
  bindArguments,
  type Catalog,
  checkNextPage,
  dataOf,
  mcpData,
  type ResolvedCall,
  type Tool,
} from '@svc/catalog';
import { internalError } from '../errors.js';
import type { Handler, HandlerContext } from './handler.js';
import { fromCatalogError, runRequests } from './run-requests.js';
import { toSend } from './send-request.js';
import type { UpstreamAccess } from './upstream-access.js';

/** Tool handlers by tool name. The input schema of the tool describes the input of its handler. */
export type HandlerTable = Readonly<Record<string, Handler<never>>>;

interface RunToolParts extends Pick<HandlerContext, 'now' | 'randomId' | 'sleep'> {
  readonly catalog: Pick<Catalog, 'tools' | 'plainInputSchemaOf'>;
  readonly handlers: HandlerTable;
}

/** Throws if the catalogue marks a tool as written in code (handler) but the service has no handler of that name. */
function checkHandlers({ tools }: Pick<Catalog, 'tools'>, handlers: HandlerTable): void {
  const problems = [...tools.values()].flatMap(({ name, versions }) =>
    versions.some(({ handler }) => handler) && !Object.hasOwn(handlers, name)
      ? [
          `"${name}" has "handler": true, but the service has no handler with this name. Add one, or remove "handler".`,
        ]
      : [],
  );
  if (problems.length > 0)
    throw new Error(
      [
        'The service cannot start, because it has no handlers for these tools of the catalogue:',
        ...problems,
      ].join('\n'),
    );
}

/**
 * Creates the function that runs tools. Throws if the catalogue contains a tool without its handler code, so that the
 * service fails at start instead of at a call.
 */
export function createRunTool({ catalog, handlers, now, randomId, sleep }: RunToolParts) {
  checkHandlers(catalog, handlers);

  async function run(
    tool: Tool,
    { version, input }: ResolvedCall,
    upstream: UpstreamAccess,
  ): Promise<unknown> {
    if (version.mcp) {
      const result = await upstream.mcp().call(version.mcp.tool, bindArguments(version.mcp, input));
      const data = dataOf(version.response, { input, response: mcpData(result, version.mcp) });
      if (version.paging) checkNextPage(version.paging, data);
      return data;
    }
    if (!version.handler) {
      const schema = catalog.plainInputSchemaOf(tool, version);
      return runRequests({ version, input, schema }, upstream.exchange);
    }
    const handler = handlers[tool.name];
    if (handler === undefined) throw internalError(`The service has no handler for the tool "${tool.name}".`);
    const { download, exchange, readLink, takeMemory } = upstream;
    const mcp = upstream.mcp();
    const context = { now, randomId, sleep, mcp, download, exchange, readLink, takeMemory };
    // The cast is safe, because the input was validated by the schema from which the handler's input type is generated.
    return handler(input as never, toSend(upstream.exchange), context);
  }

  /**
   * Runs a tool version by its declared requests, its MCP tool or its handler code. Resolves to the data of the tool
   * result.
   */
  return async function runTool(...call: Parameters<typeof run>): Promise<unknown> {
    try {
      return await run(...call);
    } catch (error) {
      throw fromCatalogError(error);
    }
  };
}

export type RunTool = ReturnType<typeof createRunTool>;
