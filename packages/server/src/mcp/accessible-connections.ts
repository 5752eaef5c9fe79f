import type { Accounts } from '../connections/accounts.js';
import type { ConnectionName } from '../connections/connection-names.js';
import { ServiceError } from '../errors.js';
import { findBrokenByName, type TokenLimits } from '../tokens/token-limits.js';

/** Use of an access token at one MCP endpoint, such as `/mcp/calendar`. */
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

/** Map from a connector's id to the names of the connections that the token may use. */
export type AccessibleConnections = ReadonlyMap<string, readonly string[]>;

/**
 * Returns the connected-account ids that every limit set of the token allows. `undefined` means that no limit set
 * restricts accounts.
 */
function accountsOf(links: readonly TokenLimits[]): readonly string[] | undefined {
  const [first, ...others] = links.flatMap(({ accounts }) => (accounts === undefined ? [] : [accounts]));
  return first?.filter((id) => others.every((list) => list.includes(id)));
}

function ignoreNotFound(error: unknown): undefined {
  if (error instanceof ServiceError && error.status === 404) return undefined;
  throw error;
}

interface FindConnectionsOptions {
  readonly accounts: Pick<Accounts, 'getById'>;
  readonly now: () => number;
}

export function createFindConnections({ accounts, now }: FindConnectionsOptions) {
  /**
   * Returns the connections of the accounts in the token's `accounts` limit. `undefined` means that the token has no
   * `accounts` limit.
   */
  async function findAllowedNames({ applicationId, links, identifier }: TokenUse) {
    const ids = accountsOf(links);
    if (ids === undefined) return undefined;
    const allowedAccounts = await Promise.all(
      ids.map((id) => accounts.getById(applicationId, id).catch(ignoreNotFound)),
    );
    return new Set(
      allowedAccounts.flatMap((account) =>
        account?.identifier === identifier ? [account.connectionName] : [],
      ),
    );
  }

  /**
   * Finds the connections that the token's limits allow. The result includes connections that the user has not
   * authorized yet.
   */
  return async function findConnections(use: TokenUse): Promise<AccessibleConnections> {
    const { links, identifier, audience, names } = use;
    const allowedNames = await findAllowedNames(use);
    const accessible = new Map<string, string[]>();
    for (const { connectionName, connector } of names) {
      if (allowedNames?.has(connectionName) === false) continue;
      if (findBrokenByName(links, { at: now(), audience, connectionName, identifier })) continue;
      accessible.set(connector, [...(accessible.get(connector) ?? []), connectionName]);
    }
    return accessible;
  };
}

export type FindConnections = ReturnType<typeof createFindConnections>;
