import type { AccountList, UserAccount } from '../connections/account-list.js';
import type { ConnectionName } from '../connections/connection-names.js';
import { findBrokenByName, labelOf, type TokenLimits } from '../tokens/token-limits.js';

/** Application, limits and user of an access token, for the requests to one MCP endpoint such as `/mcp/calendar`. */
interface TokenUse {
  readonly applicationId: string;
  readonly links: readonly TokenLimits[];
  readonly identifier: string;
  /** URL of the MCP endpoint that received the request. It must match the token's `audience` limit. */
  readonly audience: string;
  /**
   * Names and connectors of all connections of the application. The search for accessible connections filters this
   * list.
   */
  readonly names: readonly ConnectionName[];
}

/** Account that the tools of a connector can use, with the name that selects it. */
export interface AccountChoice {
  /** Text that selects the account in a tool input: its label, or the name of its connection. */
  readonly name: string;
  readonly connectionName: string;
  /** Label of the account. Absent or empty without a label. */
  readonly account?: string | undefined;
  /** Name of the user at the upstream. Absent if unknown, and for a user who is not connected yet. */
  readonly connectedAs?: string | undefined;
  /** True if the account is authorized. False for an account, or a connection, that the user has yet to connect. */
  readonly isConnected: boolean;
}

/** Map from a connector's id to the accounts that the token may use. */
export type AccessibleConnections = ReadonlyMap<string, readonly AccountChoice[]>;

/**
 * Returns the ids of the connected accounts that the token's limits allow. `undefined` means that no limit restricts
 * accounts.
 */
function accountsOf(links: readonly TokenLimits[]): readonly string[] | undefined {
  const [first, ...others] = links.flatMap(({ accounts }) => (accounts === undefined ? [] : [accounts]));
  return first?.filter((id) => others.every((list) => list.includes(id)));
}

/**
 * Names an account with a label by this label. Adds the connection's name if another account or connection has an equal
 * name.
 */
function withLabels(choices: readonly AccountChoice[]): readonly AccountChoice[] {
  const isTaken = (label: string) =>
    choices.filter(({ account, connectionName }) => account === label || connectionName === label).length > 1;
  return choices.map((choice) => {
    const { account, connectionName } = choice;
    if (!account) return choice;
    const isName = connectionName === account || isTaken(account);
    return { ...choice, name: isName ? `${connectionName}/${account}` : account };
  });
}

interface FindConnectionsOptions {
  readonly accountList: Pick<AccountList, 'listOfUser'>;
  readonly now: () => number;
}

export function createFindConnections({ accountList, now }: FindConnectionsOptions) {
  /**
   * Finds the user's accounts that the token's limits allow, by connector, connected accounts first. If the user has no
   * account of a connector, each of its connections counts as one account, so that the user can connect it. Connections
   * without an OAuth client count only if there is no other. A token that is limited to account ids gets only these.
   */
  return async function findConnections(use: TokenUse): Promise<AccessibleConnections> {
    const { applicationId, links, identifier, audience, names } = use;
    const ids = accountsOf(links);
    const stored = await accountList.listOfUser(applicationId, identifier);
    const allows = (connectionName: string, account: string | undefined) =>
      !findBrokenByName(links, { at: now(), audience, connectionName, identifier, account });
    const toChoice = ({ connectionName, account, connectedAs, status }: UserAccount): AccountChoice => ({
      name: connectionName,
      connectionName,
      account,
      connectedAs: connectedAs?.name,
      isConnected: status === 'authorized',
    });
    const account = labelOf(links);

    function choicesOf(connections: readonly ConnectionName[]): readonly AccountChoice[] {
      const known = connections.flatMap(({ connectionName }) =>
        stored.filter(
          (one) =>
            one.connectionName === connectionName &&
            ids?.includes(one.id) !== false &&
            allows(connectionName, one.account),
        ),
      );
      if (known.length > 0 || ids !== undefined) {
        const { connected = [], others = [] } = Object.groupBy(known.map(toChoice), ({ isConnected }) =>
          isConnected ? 'connected' : 'others',
        );
        return [...connected, ...others];
      }
      const allowed = connections.filter(({ connectionName }) => allows(connectionName, account));
      const configured = allowed.filter(({ isConfigured }) => isConfigured);
      return (configured.length > 0 ? configured : allowed).map(({ connectionName }) => ({
        name: connectionName,
        connectionName,
        account,
        isConnected: false,
      }));
    }

    const byConnector = Map.groupBy(names, ({ connector }) => connector);
    const accessible = [...byConnector].map(([connector, connections]) => {
      return [connector, withLabels(choicesOf(connections))] as const;
    });
    return new Map(accessible.filter(([, choices]) => choices.length > 0));
  };
}

export type FindConnections = ReturnType<typeof createFindConnections>;
