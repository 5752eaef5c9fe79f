import type { Accounts } from '../connections/accounts.js';
import type { ConnectionName } from '../connections/connection-names.js';
import { ServiceError } from '../errors.js';
import { findBrokenByName, type TokenLimits } from '../tokens/token-limits.js';

/** A token at an endpoint. */
interface TokenUse {
  readonly applicationId: string;
  readonly links: readonly TokenLimits[];
  readonly identifier: string;
  /** URL of the endpoint. */
  readonly audience: string;
  /** All connections of the application. */
  readonly names: readonly ConnectionName[];
}

/** Names of the connections that a token may use, by connector. */
export type AccessibleConnections = ReadonlyMap<string, readonly string[]>;

/** Ids of the accounts that every link allows; `undefined` when no link names accounts. */
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
  /** Names of the connections whose accounts the token names; `undefined` when it names none. */
  async function findNamed({ applicationId, links, identifier }: TokenUse) {
    const ids = accountsOf(links);
    if (ids === undefined) return undefined;
    const found = await Promise.all(
      ids.map((id) => accounts.getById(applicationId, id).catch(ignoreNotFound)),
    );
    return new Set(
      found.flatMap((account) => (account?.identifier === identifier ? [account.connectionName] : [])),
    );
  }

  /** Finds the connections that a token may use, whether the user has authorized them or not. */
  return async function findConnections(use: TokenUse): Promise<AccessibleConnections> {
    const { links, identifier, audience, names } = use;
    const named = await findNamed(use);
    const accessible = new Map<string, string[]>();
    for (const { connectionName, connector } of names) {
      if (named?.has(connectionName) === false) continue;
      if (findBrokenByName(links, { at: now(), audience, connectionName, identifier })) continue;
      accessible.set(connector, [...(accessible.get(connector) ?? []), connectionName]);
    }
    return accessible;
  };
}

export type FindConnections = ReturnType<typeof createFindConnections>;
