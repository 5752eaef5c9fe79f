import { eachItem, type Paging } from './each-item.js';
import type { ExecuteTool } from './execute-tool.js';
import type { ToolOptions } from './tool.js';

/** One line of a connector package: the tool, the versions that it was made from, and how it pages. */
export interface ToolEntry {
  /** The tool's name without the connector's prefix. */
  tool: string;
  /** What runs when the caller names neither version. */
  version: readonly [schemaVersion: string, toolVersion: string];
  /** The input that takes the page token, and the outputs that hold the next token and the items. */
  page?: Paging;
}

/** Gives the tools of one connector as methods that act for one connected account. */
export type Connector<Methods> = (
  client: { readonly executeTool: ExecuteTool },
  account: { readonly id: string } | string,
) => Methods;

type Input = Readonly<Record<string, unknown>>;

/** Makes a connector of its table of tools; a connector package is one call of this. */
export function connector<Methods>(
  id: string,
  table: Readonly<Record<keyof Methods & string, ToolEntry>>,
): Connector<Methods> {
  return ({ executeTool }, account) => {
    const connectedAccountId = typeof account === 'string' ? account : account.id;
    const toMethod = ({ tool, version, page }: ToolEntry) => {
      const toolName = `${id}_${tool}`;
      const run = (toolInput: Input, { schemaVersion, toolVersion, ...options }: ToolOptions = {}) => {
        const isChosen =
          schemaVersion || toolVersion || toolInput['schema_version'] || toolInput['tool_version'];
        const versions = isChosen
          ? { schemaVersion, toolVersion }
          : { schemaVersion: version[0], toolVersion: version[1] };
        return executeTool({ toolName, connectedAccountId, toolInput, ...versions }, options);
      };
      const fetchPage = async (input: Input, options?: ToolOptions) => (await run(input, options)).data;
      return page ? Object.assign(run, { each: eachItem(fetchPage, page) }) : run;
    };
    const methods = Object.entries<ToolEntry>(table).map(([name, entry]) => [name, toMethod(entry)]);
    // The generator writes the table and Methods from the same tool files.
    return Object.fromEntries(methods) as Methods;
  };
}
