import { LRUCache } from 'lru-cache';
import { entryLimit } from '../concurrency/entry-limit.js';
import { createMonotonicClock } from '../concurrency/monotonic-clock.js';
import type { Discover, Discovered } from '../oauth/discover.js';
import type { Connector } from './connector.js';

/** An MCP server of one connector's connections. */
export interface ProtectedResource {
  readonly connector: string;
  readonly mcpUrl: string;
}

const KEPT_MS = 60 * 60_000;
const MOST_KEPT = 1000;

/** Drops the query, because it selects tools and not the authorization server. */
export const resourceAt = (
  baseUrl: string,
  { id, mcp }: Pick<Connector, 'id' | 'mcp'>,
): ProtectedResource => ({
  connector: id,
  mcpUrl: `${baseUrl}${mcp?.path ?? ''}`.split('?', 1).join(),
});

const keyOf = ({ connector, mcpUrl }: ProtectedResource): string => `${connector} ${mcpUrl}`;

/** Discovered authorization servers of MCP servers, cached for an hour. */
export function createDiscoveries({
  discover,
  now,
}: {
  readonly discover: Discover;
  readonly now: () => number;
}) {
  const found = new LRUCache<string, Promise<Discovered>>({
    ...entryLimit(MOST_KEPT),
    ttl: KEPT_MS,
    ttlResolution: 0,
    perf: { now: createMonotonicClock(now) },
  });

  /** Sends one discovery for concurrent callers. */
  function find(resource: ProtectedResource): Promise<Discovered> {
    const key = keyOf(resource);
    const known = found.get(key);
    if (known) return known;
    const discovering = discover(resource.mcpUrl, resource.connector);
    found.set(key, discovering);
    discovering.catch(() => found.delete(key));
    return discovering;
  }

  function forget(resource: ProtectedResource): void {
    found.delete(keyOf(resource));
  }

  return { find, forget };
}

export type Discoveries = ReturnType<typeof createDiscoveries>;
