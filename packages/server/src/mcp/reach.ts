import { LRUCache } from 'lru-cache';
import type { Accounts } from '../connections/accounts.js';
import type { Connections } from '../connections/connections.js';
import { ServiceError } from '../errors.js';
import { findBrokenByName, type TokenLimits } from '../tenants/token-limits.js';
import { accountsOf } from './links.js';

export interface ReachParts {
  readonly connections: Pick<Connections, 'list'>;
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
}

/** Names of the connections that a token reaches, by connector. */
export type Reach = ReadonlyMap<string, readonly string[]>;

interface Listed {
  readonly connectionName: string;
  readonly connector: string;
}

// What is changed is known here then, in every process.
const KEPT_MS = 5000;
const MOST_APPLICATIONS = 1000;
const PAGE_SIZE = 200;
/** Of one application: whoever has more names those that it means in its tokens. */
const MOST_CONNECTIONS = 1000;

const orNothing = (error: unknown): undefined => {
  if (error instanceof ServiceError && error.status === 404) return undefined;
  throw error;
};

/** Finds which accounts of its user a token reaches, whether they are authorized or not. */
export function createFindReach({ connections, accounts, now }: ReachParts) {
  const kept = new LRUCache<string, Promise<readonly Listed[]>>({ max: MOST_APPLICATIONS, ttl: KEPT_MS });

  async function readConnections(applicationId: string): Promise<readonly Listed[]> {
    const listed: Listed[] = [];
    for (let pageToken: string | undefined; listed.length < MOST_CONNECTIONS; ) {
      const page = await connections.list(applicationId, { pageSize: PAGE_SIZE, pageToken });
      listed.push(...page.items.map(({ connectionName, connector }) => ({ connectionName, connector })));
      pageToken = page.nextPageToken;
      if (pageToken === undefined) break;
    }
    return listed;
  }

  function connectionsOf(applicationId: string): Promise<readonly Listed[]> {
    const known = kept.get(applicationId);
    if (known) return known;
    const reading = readConnections(applicationId);
    kept.set(applicationId, reading);
    reading.catch(() => kept.delete(applicationId));
    return reading;
  }

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
    const { applicationId, links, identifier, audience } = reaching;
    const named = await namedBy(reaching);
    const reached = new Map<string, string[]>();
    for (const { connectionName, connector } of await connectionsOf(applicationId)) {
      if (named?.has(connectionName) === false) continue;
      if (findBrokenByName(links, { at: now(), audience, connectionName, identifier })) continue;
      reached.set(connector, [...(reached.get(connector) ?? []), connectionName]);
    }
    return reached;
  };
}

export type FindReach = ReturnType<typeof createFindReach>;
