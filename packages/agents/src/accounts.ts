import type { AccountName } from '@svc/core';
import { invalidInput } from './tool-failure.js';
import type { JsonSchema, ToolSchema } from './tool-schema.js';

/** Connected account: its id, the account object, or its connection, identifier and label. */
export type Account = string | { readonly id: string } | AccountName;

/** Connected account with a name, by which a model chooses it among several. */
export interface NamedAccount {
  readonly name: string;
  readonly account: Account;
}

/** Connected account that the tools of a connector use. With several accounts, the model names one in each call. */
export type AccountChoice = Account | readonly NamedAccount[];

/** Name of the input field in which the model names the account, when a tool has several. */
const FIELD = 'account';

/** Chooses the connected account for each call of a tool. */
export interface AccountBinding {
  readonly inputSchema: JsonSchema;
  /** Splits an input into the chosen account and the input without the account's name. */
  take(input: Readonly<Record<string, unknown>>): {
    readonly account: Account;
    readonly toolInput: Readonly<Record<string, unknown>>;
  };
}

/**
 * Binds a tool to its connected accounts. Throws when there is no account, when two accounts have one name, or when
 * the tool already has an input named `account`.
 */
export function bindAccounts(
  { name, inputSchema }: ToolSchema,
  choice: AccountChoice | undefined,
): AccountBinding {
  const isSeveral = (given: AccountChoice): given is readonly NamedAccount[] => Array.isArray(given);
  if (choice === undefined)
    throw new TypeError(
      `The tool ${name} has no account. Add an account for its connector to the option "accounts".`,
    );
  if (!isSeveral(choice)) return { inputSchema, take: (toolInput) => ({ account: choice, toolInput }) };
  const byName = new Map(choice.map((each) => [each.name, each.account]));
  if (byName.size === 0 || byName.size < choice.length)
    throw new TypeError(
      `The list of accounts for ${name} is empty or repeats a name. List at least one account, each with its own name.`,
    );
  const names = [...byName.keys()];
  return {
    inputSchema: withAccountField(name, inputSchema, names),
    take: ({ [FIELD]: given, ...toolInput }) => {
      const account = typeof given === 'string' ? byName.get(given) : undefined;
      if (account === undefined)
        throw invalidInput(`"${FIELD}" must be one of ${names.map((each) => `"${each}"`).join(', ')}.`);
      return { account, toolInput };
    },
  };
}

function withAccountField(tool: string, schema: JsonSchema, names: readonly string[]): JsonSchema {
  const { properties = {}, required = [] } = schema as {
    readonly properties?: JsonSchema;
    readonly required?: readonly string[];
  };
  if (Object.hasOwn(properties, FIELD))
    throw new TypeError(
      `The tool ${tool} already has an input "${FIELD}". Give the tool one account instead of a list.`,
    );
  const field = { type: 'string', enum: names, description: 'Connected account that the call uses.' };
  return { ...schema, properties: { [FIELD]: field, ...properties }, required: [FIELD, ...required] };
}

/** Converts an account to the fields by which `executeTool` identifies it. */
export function accountReference(account: Account) {
  if (typeof account === 'string') return { connectedAccountId: account };
  if ('id' in account) return { connectedAccountId: account.id };
  const { connectionName, identifier, account: label } = account;
  return { connectionName, identifier, ...(label && { account: label }) };
}
