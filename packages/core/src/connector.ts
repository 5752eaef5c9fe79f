import { type LinkedPage, paged } from './paged.js';
import type { AccountName } from './resources.js';
import { snakeCase } from './snake-case.js';
import type { ToolOptions } from './tool.js';

/** One line of a connector package: a tool, the versions that it was generated from, and how it pages. */
export interface ToolEntry {
  /** The tool's name without the connector's prefix. Default: the method's in snake_case. */
  tool?: string;
  /** The versions to run when the caller names none. Default: 1.0.0 of both. */
  version?: readonly [schemaVersion: string, toolVersion: string];
  /** The tool changes nothing, so that a call may be repeated. Other tools get an idempotency key for each call. */
  reads?: true;
  /** Milliseconds for a whole call when the caller names none. Default: the client's. */
  timeout?: number;
  /** Path of names to the items in a page of data, such as `body/items`. */
  page?: string;
}

/** Runs tools: a client of any version of core from 1.0 on. */
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

const DEFAULT_VERSION = ['1.0.0', '1.0.0'] as const;

interface Input {
  readonly [field: string]: unknown;
  readonly schema_version?: string;
  readonly tool_version?: string;
}

/** Makes a connector from its table of tools. A connector package is one call of this function. */
export function connector<Methods>(
  id: string,
  table: Readonly<Record<keyof Methods & string, ToolEntry>>,
): Connector<Methods> {
  return (client, account) => {
    const reference = referenceOf(account);

    function toMethod([methodName, entry]: [string, ToolEntry]) {
      const { tool = snakeCase(methodName), page } = entry;
      function run(toolInput: Input = {}, options: ToolOptions = {}): Promise<LinkedPage> {
        const call = {
          ...reference,
          toolName: `${id}_${tool}`,
          toolInput,
          ...versionsOf(entry, toolInput, options),
        };
        // The service's response is not validated.
        return client.executeTool(call, withDefaults(entry, options)) as Promise<LinkedPage>;
      }
      return [methodName, page ? Object.assign(run, paged(run, page)) : run];
    }

    // The generator writes the table and Methods from the same tool files.
    return Object.fromEntries(Object.entries<ToolEntry>(table).map(toMethod)) as Methods;
  };
}

function referenceOf(account: Parameters<Connector<unknown>>[1]) {
  if (typeof account === 'string') return { connectedAccountId: account };
  const { id, connectionName, identifier }: Partial<{ id: string } & AccountName> = account;
  return id ? { connectedAccountId: id } : { connectionName, identifier };
}

/** The versions that the options or the input name, or else those of the table. */
function versionsOf({ version = DEFAULT_VERSION }: ToolEntry, input: Input, options: ToolOptions) {
  const { schemaVersion = input.schema_version, toolVersion = input.tool_version } = options;
  if (schemaVersion || toolVersion) return { schemaVersion, toolVersion };
  return { schemaVersion: version[0], toolVersion: version[1] };
}

function withDefaults({ reads, timeout }: ToolEntry, options: ToolOptions): ToolOptions {
  return {
    ...options,
    readOnly: options.readOnly ?? reads,
    timeout: options.timeout ?? timeout,
    idempotencyKey: options.idempotencyKey ?? (reads ? undefined : crypto.randomUUID()),
  };
}
