import { assert } from './errors.js';
import { type LinkedPage, paged } from './paged.js';
import type { AccountName } from './resources.js';
import { snakeCase } from './snake-case.js';
import type { ToolOptions } from './tool.js';

/** Entry of a tool in a connector package: its name, the versions that it was generated from, and its paging. */
export interface ToolEntry {
  /** Name of the tool without the connector's prefix. Default: the method's name in snake_case. */
  tool?: string;
  /** Schema version and tool version that run when the caller names none. Default: 1.0.0 for both. */
  version?: readonly [schemaVersion: string, toolVersion: string];
  /** True if the tool changes nothing, so that a call may be repeated. Calls of other tools get an idempotency key. */
  reads?: true;
  /** Timeout of a whole tool call in milliseconds, when the caller sets none. Default: the client's timeout. */
  timeout?: number;
  /** Path to the items in the data of a page, such as `body/items`. Absent: the tool has no pages. */
  page?: string;
}

/** Client that can run tools: a client of any `@svc/core` version from 1.0 on. */
export interface ToolCaller {
  executeTool(call: ToolCallOfTable, options?: object): Promise<unknown>;
}

/** Tool call as the methods of a connector package send it. */
export interface ToolCallOfTable {
  toolName: string;
  connectedAccountId?: string;
  connectionName?: string | undefined;
  identifier?: string | undefined;
  account?: string | undefined;
  toolInput: Readonly<Record<string, unknown>>;
  schemaVersion?: string | undefined;
  toolVersion?: string | undefined;
}

/**
 * Creates the methods for one connector's tools, which act for one connected account. The account is given as an
 * object, by its id, or by connection, identifier and label.
 */
export type Connector<Methods> = (
  client: ToolCaller,
  account: string | { readonly id: string } | AccountName,
) => Methods;

const ARGUMENTS = 'a client and an account. Pass the account, its id, or { connectionName, identifier }.';
const DEFAULT_VERSION = ['1.0.0', '1.0.0'] as const;

interface Input {
  readonly [field: string]: unknown;
  readonly schema_version?: string;
  readonly tool_version?: string;
}

/**
 * Creates a connector from its table of tools by method name. Each connector package consists of one call of this
 * function.
 */
export function connector<Methods>(
  id: string,
  table: Readonly<Record<keyof Methods & string, ToolEntry>>,
): Connector<Methods> {
  return (client, account) => {
    const reference = referenceOf(account);
    assert(client && reference, 'invalid_request', `${id}() needs ${ARGUMENTS}`);

    function toMethod([methodName, entry]: [string, ToolEntry]) {
      const { tool = snakeCase(methodName), page } = entry;
      function run(toolInput: Input = {}, options: ToolOptions = {}): Promise<LinkedPage> {
        const call = {
          ...reference,
          toolName: `${id}_${tool}`,
          toolInput,
          ...versionsOf(entry, toolInput, options),
        };
        // The type assertion trusts the response types of the service, because the client does not validate responses.
        return client.executeTool(call, withDefaults(entry, options)) as Promise<LinkedPage>;
      }
      return [methodName, page ? Object.assign(run, paged(run, page)) : run];
    }

    // The type assertion is safe, because the generator writes the table and the type `Methods` from the same tool
    // files.
    return Object.fromEntries(Object.entries<ToolEntry>(table).map(toMethod)) as Methods;
  };
}

/** Returns the fields of a tool call that refer to its account. Undefined if a JavaScript caller gave no account. */
function referenceOf(account: Parameters<Connector<unknown>>[1]) {
  const given = typeof account === 'string' ? { id: account } : account;
  const {
    id,
    connectionName,
    identifier,
    account: label,
  }: Partial<{ id: string } & AccountName> = given ?? {};
  if (id) return { connectedAccountId: id };
  return connectionName && identifier ? { connectionName, identifier, account: label } : undefined;
}

/** Returns the tool's versions from the options or the input, otherwise those in the connector's table of tools. */
function versionsOf({ version = DEFAULT_VERSION }: ToolEntry, input: Input, options: ToolOptions) {
  const { schemaVersion = input?.schema_version, toolVersion = input?.tool_version } = options;
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
