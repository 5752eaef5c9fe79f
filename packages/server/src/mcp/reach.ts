import type { Accounts } from '../connections/accounts.js';
import type { ConnectionName } from '../connections/connection-names.js';
import { ServiceError } from '../errors.js';
import { findBrokenByName, type TokenLimits } from '../tokens/token-limits.js';

export interface ReachParts {
  readonly accounts: Pick<Accounts, 'getById'>;
  readonly now: () => number;
}

/** Whose accounts are looked for, and by what right. */
export interface Reaching {
  readonly applicationId: string;
  readonly links: readonly TokenLimits[];
  readonly identifier: string;
  /** URL of the door. */
  readonly audience: string;
  /** All of the application's. */
  readonly names: readonly ConnectionName[];
}

/** Names of the connections that a token reaches, by connector. */
export type Reach = ReadonlyMap<string, readonly string[]>;

type Links = readonly TokenLimits[];

/** Ids of the accounts that every link allows; `undefined` where none of them says. */
function accountsOf(links: Links): readonly string[] | undefined {
  const [first, ...others] = links.flatMap(({ accounts }) => (accounts === undefined ? [] : [accounts]));
  return first?.filter((id) => others.every((list) => list.includes(id)));
}

const orNothing = (error: unknown): undefined => {
  if (error instanceof ServiceError && error.status === 404) return undefined;
  throw error;
};

/** Finds which accounts of its user a token reaches, whether they are authorized or not. */
export function createFindReach({ accounts, now }: ReachParts) {
  /** Names of the connections of the accounts that a token names; `undefined` where it names none. */
  async function namedBy({ applicationId, links, identifier }: Reaching) {
    const ids = accountsOf(links);
    if (ids === undefined) return undefined;
    const found = await Promise.all(ids.map((id) => accounts.getById(applicationId, id).catch(orNothing)));
    return new Set(
      found.flatMap((account) => (account?.identifier === identifier ? [account.connectionName] : [])),
    );
  }

  return async (reaching: Reaching): Promise<Reach> => {
    const { links, identifier, audience, names } = reaching;
    const named = await namedBy(reaching);
    const reached = new Map<string, string[]>();
    for (const { connectionName, connector } of names) {
      if (named?.has(connectionName) === false) continue;
      if (findBrokenByName(links, { at: now(), audience, connectionName, identifier })) continue;
      reached.set(connector, [...(reached.get(connector) ?? []), connectionName]);
    }
    return reached;
  };
}

export type FindReach = ReturnType<typeof createFindReach>;
