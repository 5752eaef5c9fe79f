import type { ExecuteTool, ToolResult } from '@svc/core';
import type { Service } from '../service/service.js';

/** Returns messages about the parts of a result that break the tool's output schema. */
function problemsOf({ catalog }: Service['app'], toolName: string, result: ToolResult<unknown>): string[] {
  const tool = catalog.tools.get(toolName);
  if (tool === undefined) return [`${toolName} is not in the catalogue`];
  const { schemaVersion, toolVersion, data } = result;
  const problems = catalog.outputProblems(
    tool,
    catalog.selectVersion(tool, { schemaVersion, toolVersion }),
    data,
  );
  return problems.map(({ message }) => `${toolName}: ${message}`);
}

/** Lists a connector's tools in the catalogue, and wraps the client to record which tools succeeded. */
export function recordTools({ svc, app }: Pick<Service, 'svc' | 'app'>, connectorId: string) {
  const tools = [...app.catalog.tools.values()].filter(({ connector }) => connector === connectorId);
  const names = tools.map(({ name }) => name).sort();
  const tokens = new Map(
    tools.flatMap(({ name, versions }) =>
      versions.flatMap(({ paging }) => (paging?.input === undefined ? [] : [[name, paging.input] as const])),
    ),
  );
  const called = new Set<string>();
  const continued = new Set<string>();
  const surprises: string[] = [];

  const executeTool: ExecuteTool = async (call, options) => {
    const result = await svc.executeTool(call, options);
    const token = tokens.get(call.toolName);
    called.add(call.toolName);
    if ('data' in result) surprises.push(...problemsOf(app, call.toolName, result));
    if (token !== undefined && Object.hasOwn(call.toolInput, token)) continued.add(call.toolName);
    return result;
  };

  return {
    executeTool,
    /** Names of all tools of the connector. */
    names,
    /** Names of the tools with paginated results. */
    paged: [...tokens.keys()].sort(),
    /** Names of the tools that were called and returned a result, sorted. */
    called: () => [...called].sort(),
    /** Names of the paginated tools that were called with a page token. */
    continued: () => [...continued].sort(),
    /** Messages about results that break the output schema of their tool. */
    surprises,
    /** Number of called tools of the connector, such as `calendar 6 of 6`. */
    coverage: () => `${connectorId} ${called.size} of ${names.length}`,
  };
}

export type ToolRecord = ReturnType<typeof recordTools>;
