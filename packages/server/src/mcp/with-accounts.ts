import { cutText, type JsonSchema } from '@svc/catalog';
import type { AccountChoice } from './accessible-connections.js';
import { escapedLength } from './short-schema.js';
import type { WireTool } from './wire-tool.js';

const MAX_NAME_CHARACTERS = 60;
const MAX_PAGE_CHARACTERS = 6000;

/** Accounts of a tool, and the name of the input property that selects one of them. */
interface ToolAccounts {
  readonly accountInput: string;
  readonly accounts: readonly AccountChoice[];
}

const isConnected = (choice: AccountChoice): boolean => choice.isConnected;

/**
 * Returns the account of a call that names none: the only connected one, or the connected one without a label if all
 * belong to one connection. If no account is connected, chooses among the unconnected accounts by the same rule. Returns
 * `undefined` if the call has to name its account.
 */
export function defaultAccount(accounts: readonly AccountChoice[]): AccountChoice | undefined {
  const candidates = accounts.some(isConnected) ? accounts.filter(isConnected) : accounts;
  const [first, ...others] = candidates;
  if (first === undefined || others.length === 0) return first;
  if (others.some(({ connectionName }) => connectionName !== first.connectionName)) return undefined;
  return candidates.find(({ account }) => !account);
}

/** Returns the error message for a call that has to name its account and does not. */
export function accountMissing({ accountInput, accounts }: ToolAccounts): string {
  const names = accounts.map(({ name }) => JSON.stringify(name)).join(', ');
  if (accounts.some(isConnected))
    return `The user has several accounts. Set "${accountInput}" to one of ${names}.`;
  return `The user has not connected an account yet. Set "${accountInput}" to the one to connect: one of ${names}.`;
}

function schemaOf(accounts: readonly AccountChoice[], named: readonly AccountChoice[], rest: string) {
  const standard = defaultAccount(accounts);
  const owners = named.flatMap(({ name, connectedAs }) =>
    connectedAs === undefined ? [] : [`${name} is ${cutText(connectedAs, MAX_NAME_CHARACTERS)}`],
  );
  const sentences = [
    accounts.some(isConnected)
      ? "The user's account to use."
      : 'The account to use. The user has not connected it yet, so the first call returns a link to connect it.',
    standard && `Default: ${standard.name}.`,
    owners.length > 0 && `${owners.join(', ')}.`,
    rest,
  ];
  return { type: 'string', description: sentences.filter(Boolean).join(' ') };
}

/**
 * Returns the schema of the input property that selects the account. The schema names as many accounts as fit into
 * `most` characters of escaped JSON.
 */
function accountSchema({ accountInput, accounts }: ToolAccounts, most: number): JsonSchema {
  const whole = { ...schemaOf(accounts, accounts, ''), enum: accounts.map(({ name }) => name) };
  if (escapedLength(whole) <= most) return whole;
  const rest = `describe_tool with definition "${accountInput}" lists all ${accounts.length} accounts.`;
  let fitting = schemaOf(accounts, [], rest);
  for (let count = 1; count < accounts.length; count += 1) {
    const larger = schemaOf(accounts, accounts.slice(0, count), rest);
    if (escapedLength(larger) > most) break;
    fitting = larger;
  }
  return fitting;
}

/**
 * Adds an input property that selects the account, if the user has several accounts for the tool. The property lists
 * all accounts if they fit into `most` characters of escaped JSON.
 */
export function withAccounts(
  tool: WireTool,
  toolAccounts: ToolAccounts,
  most = Number.POSITIVE_INFINITY,
): WireTool {
  const { accountInput, accounts } = toolAccounts;
  if (accounts.length < 2) return tool;
  const { properties, required = [], ...rest } = tool.inputSchema;
  return {
    ...tool,
    inputSchema: {
      ...rest,
      properties: { ...properties, [accountInput]: accountSchema(toolAccounts, most) },
      required: defaultAccount(accounts) ? required : [...required, accountInput],
    },
  };
}

/**
 * Lists the accounts of a tool from index `from`, as many as fit into one result. If there are more, a hint gives the
 * model the input `definition` with which `describe_tool` lists the next accounts.
 */
export function listAccounts({ accountInput, accounts }: ToolAccounts, from: number) {
  let left = MAX_PAGE_CHARACTERS;
  const rest = accounts.slice(from).map(({ name, connectedAs }) => ({
    name,
    ...(connectedAs !== undefined && { connected_as: cutText(connectedAs, MAX_NAME_CHARACTERS) }),
  }));
  const end = rest.findIndex((each) => {
    left -= escapedLength(each);
    return left < 0;
  });
  const listed = end === -1 ? rest : rest.slice(0, Math.max(1, end));
  const next = from + listed.length;
  return {
    accounts: listed,
    ...(next < accounts.length && {
      hint: `There are more accounts: call describe_tool again with definition = "${accountInput} ${next}".`,
    }),
  };
}
