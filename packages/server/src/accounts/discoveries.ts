import { LRUCache } from 'lru-cache';
import type { Discover, Discovered } from '../oauth/discover.js';
import type { Connector } from './connector.js';

export interface DiscoveriesParts {
  readonly discover: Discover;
  readonly now: () => number;
}

/** What MCP servers said about how their users authorize, kept for a while. */
export interface Discoveries {
  /** Asks once, however many want to know it at the same time. */
  find(mcpUrl: string): Promise<Discovered>;
  forget(mcpUrl: string): void;
}

const KEPT_MS = 60 * 60_000;
const MOST_KEPT = 1000;

/** Without its query, which chooses what the server offers and not who guards it. */
export const mcpUrlOf = (baseUrl: string, mcp: Connector['mcp']): string =>
  `${baseUrl}${mcp?.path ?? ''}`.replace(/\?.*$/, '');

export function createDiscoveries({ discover, now }: DiscoveriesParts): Discoveries {
  const found = new LRUCache<string, Promise<Discovered>>({
    max: MOST_KEPT,
    ttl: KEPT_MS,
    ttlResolution: 0,
    perf: { now },
  });
  return {
    find: (mcpUrl) => {
      const known = found.get(mcpUrl);
      if (known) return known;
      const discovering = discover(mcpUrl);
      found.set(mcpUrl, discovering);
      discovering.catch(() => found.delete(mcpUrl));
      return discovering;
    },
    forget: (mcpUrl) => void found.delete(mcpUrl),
  };
}
