import { eachItem, type Paging } from './each-item.js';
import type { ExecuteTool } from './execute-tool.js';
import type { ToolOptions } from './tool.js';

/** One line of a connector package: the versions that it was made from, and how the tool pages. */
export interface ToolEntry {
  /** The tool's name without the connector's prefix. Default: the method's in snake_case. */
  tool?: string;
  /** What runs when the caller names neither version. Default: the first of both. */
  version?: readonly [schemaVersion: string, toolVersion: string];
  /** The input that takes the page token, and the outputs that hold the next token and the items. */
  page?: Paging;
}

/** Gives the tools of one connector as methods that act for one connected account. */
export type Connector<Methods> = (
  client: { readonly executeTool: ExecuteTool },
  account: { readonly id: string } | string,
) => Methods;

interface Input {
  readonly [field: string]: unknown;
  readonly schema_version?: string;
  readonly tool_version?: string;
}

/** Makes a connector of its table of tools; a connector package is one call of this. */
export function connector<Methods>(
  id: string,
  table: Readonly<Record<keyof Methods & string, ToolEntry>>,
): Connector<Methods> {
  return (client, account) => {
    const connectedAccountId = typeof account === 'string' ? account : account.id;
    const toMethod = ([name, { tool = snakeCase(name), version = ['1.0.0', '1.0.0'] as const, page }]: [
      string,
      ToolEntry,
    ]) => {
      const toolName = `${id}_${tool}`;
      const run = (toolInput: Input = {}, options: ToolOptions = {}) => {
        let { schemaVersion = toolInput.schema_version, toolVersion = toolInput.tool_version } = options;
        if (!schemaVersion && !toolVersion) [schemaVersion, toolVersion] = version;
        return client.executeTool(
          { toolName, connectedAccountId, toolInput, schemaVersion, toolVersion },
          options,
        );
      };
      return [name, page ? Object.assign(run, { each: eachItem(run, page) }) : run];
    };
    // The generator writes the table and Methods from the same tool files.
    return Object.fromEntries(Object.entries<ToolEntry>(table).map(toMethod)) as Methods;
  };
}

const snakeCase = (name: string) => name.replace(/[A-Z]/g, '_$&').toLowerCase();
