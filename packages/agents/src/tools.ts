import { readLoosely, restoreArguments } from '@svc/catalog/dialects';
import type { Client } from '@svc/core';
import { type AccountChoice, accountReference, bindAccounts } from './accounts.js';
import type { AgentTool, AgentTools } from './agent-tool.js';
import { invalidInput, planned, toToolFailure } from './tool-failure.js';
import type { ToolSchema } from './tool-schema.js';

/** The connector that a tool belongs to, which is the first word of its name. */
export type ConnectorOf<Name extends string> = Name extends `${infer Connector}_${string}`
  ? Connector
  : never;

/** Tools for a model, and the accounts for which they act. */
export interface ToolsOptions<Name extends string, Only extends Name> {
  /** Schemas from `@svc/<connector>/schemas` or one of its dialects. Spread several into one object. */
  readonly schemas: Readonly<Record<Name, ToolSchema>>;
  /** Account per connector, or several with names: then the model names one in each call. */
  readonly accounts: Readonly<Record<ConnectorOf<Only>, AccountChoice>>;
  /** Default: all. */
  readonly only?: readonly Only[];
  /** True for tools that need a person's approval. Default: tools that delete or overwrite. */
  readonly needsApproval?: (tool: ToolSchema) => boolean;
  /** Nothing runs: each call fails with `dry_run`, which tells what it would send. Default: false. */
  readonly dryRun?: boolean;
}

/** Client of the service that executes tools. */
export type ToolClient = Pick<Client, 'executeTool'>;

/** Timeout of the service for a long-running tool, plus ten seconds for the network. */
const LONG_RUNNING_MS = 340_000;

/** The tools of connectors for a model, bound to the accounts of one user. The adapters hand them to a framework. */
export function tools<Name extends string, Only extends Name = Name>(
  client: ToolClient,
  options: ToolsOptions<Name, Only>,
): AgentTools<Only> {
  const { schemas, accounts, only, needsApproval = ({ hints }) => hints.destructive, dryRun } = options;
  const chosen: readonly string[] = only ?? Object.keys(schemas);
  const choices: Readonly<Record<string, AccountChoice | undefined>> = accounts;
  const made = chosen.map((name) => {
    const schema = (schemas as Readonly<Record<string, ToolSchema | undefined>>)[name];
    if (schema === undefined) throw new TypeError(`There is no schema of "${name}".`);
    const choice = choices[name.slice(0, name.indexOf('_'))];
    const tool = agentTool(client, schema, { choice, needsApproval: needsApproval(schema) });
    return [name, dryRun ? rehearsed(tool) : tool];
  });
  // Each tool is made of the schema under its own name.
  return Object.fromEntries(made) as AgentTools<Only>;
}

interface Binding {
  readonly choice: AccountChoice | undefined;
  readonly needsApproval: boolean;
}

function agentTool(client: ToolClient, schema: ToolSchema, { choice, needsApproval }: Binding): AgentTool {
  const { name, title, description, hints, dialect = 'wire', cost, schemaVersion } = schema;
  const { inputSchema, take } = bindAccounts(schema, choice);
  // A vendor holds its model to a strict schema, whose forms have to be read back.
  const isStrict = dialect.endsWith('-strict');
  const callOf = (input: unknown) => {
    const meant = isStrict ? restoreArguments(input ?? {}, dialect) : readLoosely(input ?? {}, inputSchema);
    const { account, toolInput } = take(asObject(meant));
    return { toolName: name, toolInput, schemaVersion, ...accountReference(account) };
  };
  const timeout = hints.longRunning ? { timeout: LONG_RUNNING_MS } : {};
  const run: AgentTool['run'] = (input, { signal, idempotencyKey = crypto.randomUUID() } = {}) =>
    told(hints, async () => {
      const kind = hints.readOnly ? { readOnly: true } : { idempotencyKey };
      const options = { signal: signal ?? undefined, ...kind, ...timeout };
      return (await client.executeTool(callOf(input), options)).data;
    });
  const plan: AgentTool['plan'] = (input, { signal } = {}) =>
    told({ ...hints, readOnly: true }, async () => {
      const options = { signal: signal ?? undefined, dryRun: true, readOnly: true, ...timeout } as const;
      return (await client.executeTool(callOf(input), options)).dryRun;
    });
  return { name, title, description, hints, inputSchema, isStrict, cost, needsApproval, run, plan };
}

/** The same for a model that rehearses: nobody has to agree to what does not happen. */
const rehearsed = (tool: AgentTool): AgentTool => ({
  ...tool,
  needsApproval: false,
  run: async (input, options) => {
    throw planned(await tool.plan(input, options));
  },
});

/** Runs a call. Throws its failure with a message that a model can act on. */
async function told<Result>(hints: ToolSchema['hints'], call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    throw await toToolFailure(error, hints);
  }
}

function asObject(input: unknown): Readonly<Record<string, unknown>> {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw invalidInput('The arguments must be one object.');
  return { ...input };
}
