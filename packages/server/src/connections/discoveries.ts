import { LRUCache } from 'lru-cache';
import { entryLimit } from '../concurrency/entry-limit.js';
import { createMonotonicClock } from '../concurrency/monotonic-clock.js';
import type { Discover, Discovered } from '../oauth/discover.js';
import type { Connector } from './connector.js';

export interface DiscoveriesParts {
  readonly discover: Discover;
  readonly now: () => number;
}

/** An MCP server, as the connections of a connector reach it. */
export interface Guarded {
  readonly connector: string;
  readonly mcpUrl: string;
}

/** What MCP servers said about how their users authorize, kept for a while. */
export interface Discoveries {
  /** Asks once, however many want to know it at the same time. */
  find(guarded: Guarded): Promise<Discovered>;
  forget(guarded: Guarded): void;
}

const KEPT_MS = 60 * 60_000;
const MOST_KEPT = 1000;

/** Without its query, which chooses what the server offers and not who guards it. */
export const guardedAt = (baseUrl: string, { id, mcp }: Pick<Connector, 'id' | 'mcp'>): Guarded => ({
  connector: id,
  mcpUrl: `${baseUrl}${mcp?.path ?? ''}`.split('?', 1).join(),
});

const keyOf = ({ connector, mcpUrl }: Guarded): string => `${connector} ${mcpUrl}`;

export function createDiscoveries({ discover, now }: DiscoveriesParts): Discoveries {
  const found = new LRUCache<string, Promise<Discovered>>({
    ...entryLimit(MOST_KEPT),
    ttl: KEPT_MS,
    ttlResolution: 0,
    perf: { now: createMonotonicClock(now) },
  });
  return {
    find: (guarded) => {
      const key = keyOf(guarded);
      const known = found.get(key);
      if (known) return known;
      const discovering = discover(guarded.mcpUrl, guarded.connector);
      found.set(key, discovering);
      discovering.catch(() => found.delete(key));
      return discovering;
    },
    forget: (guarded) => void found.delete(keyOf(guarded)),
  };
}
