import { type LinkedPage, paged } from './paged.js';
import type { AccountName } from './resources.js';
import { snakeCase } from './snake-case.js';
import type { ToolOptions } from './tool.js';

/** One line of a connector package: the versions that it was made from, what kind of tool it is, and how it pages. */
export interface ToolEntry {
  /** The tool's name without the connector's prefix. Default: the method's in snake_case. */
  tool?: string;
  /** What runs when the caller names neither version. Default: the first of both. */
  version?: readonly [schemaVersion: string, toolVersion: string];
  /** It changes nothing, so that a call may be repeated. What is not marked is sent with an idempotency key of its own. */
  reads?: true;
  /** Milliseconds for a whole call when the caller names none. Default: the client's. */
  timeout?: number;
  /** Where the data of a page hold its items: a path of names. */
  page?: string;
}

/** What tools are called through: a client of any version of core from 1.0 on. */
export interface ToolCaller {
  executeTool(call: ToolCallOfTable, options?: object): Promise<unknown>;
}

/** A call as a connector package makes it. */
export interface ToolCallOfTable {
  toolName: string;
  connectedAccountId?: string;
  connectionName?: string | undefined;
  identifier?: string | undefined;
  toolInput: Readonly<Record<string, unknown>>;
  schemaVersion?: string | undefined;
  toolVersion?: string | undefined;
}

/** Gives the tools of one connector as methods that act for one connected account: its id, the account, or its name. */
export type Connector<Methods> = (
  client: ToolCaller,
  account: string | { readonly id: string } | AccountName,
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
    const {
      id: connectedAccountId,
      connectionName,
      identifier,
    }: Partial<{ id: string } & AccountName> = typeof account === 'string' ? { id: account } : account;
    const reference = connectedAccountId ? { connectedAccountId } : { connectionName, identifier };
    const toMethod = ([name, { tool = snakeCase(name), version = FIRST, reads, timeout: ofTool, page }]: [
      string,
      ToolEntry,
    ]) => {
      const run = (toolInput: Input = {}, options: ToolOptions = {}) => {
        let {
          schemaVersion = toolInput.schema_version,
          toolVersion = toolInput.tool_version,
          readOnly = reads,
          timeout = ofTool,
          idempotencyKey = reads ? undefined : crypto.randomUUID(),
        } = options;
        if (!schemaVersion && !toolVersion) [schemaVersion, toolVersion] = version;
        return client.executeTool(
          { ...reference, toolName: `${id}_${tool}`, toolInput, schemaVersion, toolVersion },
          { ...options, readOnly, timeout, idempotencyKey },
        ) as Promise<LinkedPage>;
      };
      return [name, page ? Object.assign(run, paged(run, page)) : run];
    };
    // The generator writes the table and Methods from the same tool files.
    return Object.fromEntries(Object.entries<ToolEntry>(table).map(toMethod)) as Methods;
  };
}

const FIRST = ['1.0.0', '1.0.0'] as const;
