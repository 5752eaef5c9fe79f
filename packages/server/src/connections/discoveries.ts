import { LRUCache } from 'lru-cache';
import { entryLimit } from '../concurrency/entry-limit.js';
import { createMonotonicClock } from '../concurrency/monotonic-clock.js';
import type { Discover, Discovered } from '../oauth/discover.js';
import type { Connector } from './connector.js';

/** MCP server whose authorization server is to be discovered, with its connector. */
export interface ProtectedResource {
  readonly connector: string;
  readonly mcpUrl: string;
}

const CACHE_MS = 60 * 60_000;
const MAX_CACHED = 1000;

/**
 * Returns the connector and the MCP server's URL of a connection, for which the authorization server is discovered. The
 * query of the URL is dropped, because it does not influence which authorization server is used.
 */
export const resourceAt = (
  baseUrl: string,
  { id, mcp }: Pick<Connector, 'id' | 'mcp'>,
): ProtectedResource => ({
  connector: id,
  mcpUrl: `${baseUrl}${mcp?.path ?? ''}`.split('?', 1).join(),
});

const keyOf = ({ connector, mcpUrl }: ProtectedResource): string => `${connector} ${mcpUrl}`;

/**
 * Creates the cache of the authorization servers that were discovered for MCP servers. Entries expire after an hour.
 */
export function createDiscoveries({
  discover,
  now,
}: {
  readonly discover: Discover;
  readonly now: () => number;
}) {
  const cache = new LRUCache<string, Promise<Discovered>>({
    ...entryLimit(MAX_CACHED),
    ttl: CACHE_MS,
    ttlResolution: 0,
    perf: { now: createMonotonicClock(now) },
  });

  /** Returns the authorization server of an MCP server. Concurrent callers share one discovery. */
  function find(resource: ProtectedResource): Promise<Discovered> {
    const key = keyOf(resource);
    const known = cache.get(key);
    if (known) return known;
    const discovering = discover(resource.mcpUrl, resource.connector);
    cache.set(key, discovering);
    discovering.catch(() => cache.delete(key));
    return discovering;
  }

  function forget(resource: ProtectedResource): void {
    cache.delete(keyOf(resource));
  }

  return { find, forget };
}

export type Discoveries = ReturnType<typeof createDiscoveries>;
