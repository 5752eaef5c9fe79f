import type { AccountName } from '@svc/core';
import { invalidInput } from './tool-failure.js';
import type { JsonSchema, ToolSchema } from './tool-schema.js';

/** Connected account: its id, an object with the id, or its connection, identifier and label. */
export type Account = string | { readonly id: string } | AccountName;

/** Connected account with a name that a model uses to choose it among several. */
export interface NamedAccount {
  /** Name that the model gives in the input field `account`, such as `work`. */
  readonly name: string;
  /** Connected account that the calls with this name use. */
  readonly account: Account;
}

/**
 * Connected account for the tools of a connector, or several named accounts. With several, the model names one in each
 * call.
 */
export type AccountChoice = Account | readonly NamedAccount[];

/** Name of the input field with which the model chooses one of several accounts. */
const FIELD = 'account';

/** Input schema of a tool with the field for the account, and the function that reads this field. */
export interface AccountBinding {
  readonly inputSchema: JsonSchema;
  /** Returns the account that the model chose, and the tool's input without the field for the account. */
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
      `The list of accounts for the tool ${name} is empty or repeats a name. List at least one account, each with its own name.`,
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
      `The tool ${tool} already has an input "${FIELD}", so the model cannot use this name to choose an account. Pass one account instead of a list of accounts.`,
    );
  const field = { type: 'string', enum: names, description: 'Connected account that the call uses.' };
  return { ...schema, properties: { [FIELD]: field, ...properties }, required: [FIELD, ...required] };
}

/** Converts an account to the fields by which `executeTool` of the client identifies it. */
export function accountReference(account: Account) {
  if (typeof account === 'string') return { connectedAccountId: account };
  if ('id' in account) return { connectedAccountId: account.id };
  const { connectionName, identifier, account: label } = account;
  return { connectionName, identifier, ...(label && { account: label }) };
}
