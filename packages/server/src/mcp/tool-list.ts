import { META_TOOLS } from './meta-tools.js';
import type { DescribedTool, WireTool } from './wire-tool.js';

export interface ToolListOptions {
  /** In the order of their names. */
  readonly described: readonly DescribedTool[];
  readonly isBehind: boolean;
  readonly toWire: (tool: DescribedTool) => WireTool;
}

/** What stands in a list beside the tools themselves, or in their place. */
function metaTools({ described, isBehind }: ToolListOptions): readonly WireTool[] {
  const { search_tools, describe_tool, call_tool, get_job } = META_TOOLS;
  const jobs = described.some(({ tool }) => tool.hints.longRunning) ? [get_job] : [];
  if (isBehind) return [search_tools, describe_tool, call_tool, ...jobs];
  return described.every(({ isWhole }) => isWhole) ? jobs : [describe_tool, ...jobs];
}

/** The list of a set of tools, written once. */
export function toolListOf(options: ToolListOptions) {
  const { described, isBehind, toWire } = options;
  const tools = [...(isBehind ? [] : described.map(toWire)), ...metaTools(options)];
  return { text: Buffer.from(JSON.stringify(tools)), names: new Set(tools.map(({ name }) => name)) };
}
