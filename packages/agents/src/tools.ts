import { readLoosely, restoreArguments, wellFormed } from '@svc/catalog/dialects';
import type { Client } from '@svc/core';
import { type AccountChoice, accountReference, bindAccounts } from './accounts.js';
import type { AgentTool, AgentTools } from './agent-tool.js';
import { checkOptions } from './check-options.js';
import { type FailedCall, invalidInput, planned, toToolFailure } from './tool-failure.js';
import type { ToolSchema } from './tool-schema.js';

/** Connector of a tool: the first word of the tool's name. */
export type ConnectorOf<Name extends string> = Name extends `${infer Connector}_${string}`
  ? Connector
  : never;

/** Options of `tools`: the tools for a model, and the connected accounts for which they act. */
export interface ToolsOptions<Name extends string, Only extends Name> {
  /**
   * Tool schemas from `@svc/<connector>/schemas`, or from its variant for one model provider, such as
   * `schemas/openai-strict`. Spread the schemas of several connectors into one object.
   */
  readonly schemas: Readonly<Record<Name, ToolSchema>>;
  /** Connected account of each connector. With several named accounts, the model names one in each call. */
  readonly accounts: Readonly<Record<ConnectorOf<Only>, AccountChoice>>;
  /** Names of the tools that the model gets. Default: all tools in `schemas`. */
  readonly only?: readonly Only[] | undefined;
  /** Returns true for tools that need a person's approval. Default: tools that delete or overwrite. */
  readonly needsApproval?: ((tool: ToolSchema) => boolean) | undefined;
  /**
   * True for a dry run: each call fails with `dry_run`, and the failure contains the upstream requests that the call
   * would send. Default: false.
   */
  readonly dryRun?: boolean | undefined;
}

/** Client of the service that executes tools. */
export type ToolClient = Pick<Client, 'executeTool'>;

/**
 * Timeout of the client in milliseconds for a long-running tool: the service's own timeout plus 10 s for the network.
 */
const LONG_RUNNING_MS = 340_000;

/**
 * Creates the tools of connectors for a model. Their calls use the connected accounts of one user. Adapters such as
 * `aiTools` convert the tools for a framework. Throws a `TypeError` for an unknown option, and for a tool without a
 * schema or an account.
 */
export function tools<Name extends string, Only extends Name = Name>(
  client: ToolClient,
  options: ToolsOptions<Name, Only>,
): AgentTools<Only> {
  checkOptions(options);
  const { schemas, accounts, only, needsApproval = ({ hints }) => hints.destructive, dryRun } = options;
  const chosen: readonly string[] = only ?? Object.keys(schemas);
  const choices: Readonly<Record<string, AccountChoice | undefined>> = accounts;
  const made = chosen.map((name) => {
    const schema = (schemas as Readonly<Record<string, ToolSchema | undefined>>)[name];
    if (schema === undefined)
      throw new TypeError(
        `The tool "${name}" has no schema. Correct the name in the option "only", or add the schema of the tool to the option "schemas".`,
      );
    const choice = choices[name.slice(0, name.indexOf('_'))];
    const tool = agentTool(client, schema, { choice, needsApproval: needsApproval(schema) });
    return [name, dryRun ? rehearsed(tool) : tool];
  });
  // The type assertion is safe, because each tool is created from the schema under its name.
  return Object.fromEntries(made) as AgentTools<Only>;
}

interface Binding {
  readonly choice: AccountChoice | undefined;
  readonly needsApproval: boolean;
}

function agentTool(client: ToolClient, schema: ToolSchema, { choice, needsApproval }: Binding): AgentTool {
  const { name, title, description, hints, dialect = 'wire', cost, schemaVersion } = schema;
  const { inputSchema, take } = bindAccounts(schema, choice);
  // Schemas for strict mode change the form of some values, so the model's arguments are converted back. Without strict
  // mode, models may send wrong types, so the arguments are converted to the types of the schema.
  const isStrict = dialect.endsWith('-strict');
  const read: AgentTool['read'] = (input) =>
    isStrict ? restoreArguments(input ?? {}, dialect) : readLoosely(input ?? {}, inputSchema);
  const callOf = (input: unknown) => {
    const { account, toolInput } = take(asObject(read(input)));
    return { toolName: name, toolInput, schemaVersion, ...accountReference(account) };
  };
  const timeout = hints.longRunning ? { timeout: LONG_RUNNING_MS } : {};
  const run: AgentTool['run'] = (input, { signal, idempotencyKey = crypto.randomUUID() } = {}) =>
    withToolFailure({ hints, signal }, async () => {
      const kind = hints.readOnly ? { readOnly: true } : { idempotencyKey };
      const options = { signal: signal ?? undefined, ...kind, ...timeout };
      return wellFormed((await client.executeTool(callOf(input), options)).data);
    });
  const plan: AgentTool['plan'] = (input, { signal } = {}) =>
    withToolFailure({ hints: { ...hints, readOnly: true }, signal }, async () => {
      const options = { signal: signal ?? undefined, dryRun: true, readOnly: true, ...timeout } as const;
      return (await client.executeTool(callOf(input), options)).dryRun;
    });
  return { name, title, description, hints, inputSchema, isStrict, cost, needsApproval, read, run, plan };
}

/** Returns the tool with a `run` that only makes a dry run. It needs no approval, because a dry run changes nothing. */
const rehearsed = (tool: AgentTool): AgentTool => ({
  ...tool,
  needsApproval: false,
  run: async (input, options) => {
    throw planned(await tool.plan(input, options));
  },
});

/** Runs a tool call. Converts an error of the service to a `ToolFailure`, whose message tells the model what to do. */
async function withToolFailure<Result>(failed: FailedCall, call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    throw await toToolFailure(error, failed);
  }
}

function asObject(input: unknown): Readonly<Record<string, unknown>> {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw invalidInput('The arguments are not a JSON object. Send one JSON object.');
  return { ...input };
}
