import { LRUCache } from 'lru-cache';
import { Agent, type Dispatcher, Pool } from 'undici';
import { entryLimit } from '../concurrency/entry-limit.js';
import { type ClientOptions, createClient } from './client.js';

export interface OwnersOptions {
  /** How many owners keep connections; the one that has sent nothing for longest makes room. */
  readonly mostOwners?: number;
  /** How many connections to one origin an owner has at once; more requests wait for one. */
  readonly mostConnections?: number;
}

/** Connections by whom they serve. */
export interface Owners {
  /** The connections of an application, or of another owner, which nobody else's requests use. */
  readonly of: (owner: string) => Dispatcher;
  /** When every request under way has ended. */
  readonly close: () => Promise<void>;
  /** At once. */
  readonly destroy: () => Promise<void>;
}

export function createOwners(
  client: ClientOptions,
  { mostOwners = 1_000, mostConnections = 256 }: OwnersOptions,
): Owners {
  const toOrigin = (origin: string | URL) =>
    new Pool(origin, {
      allowH2: false,
      connections: mostConnections,
      factory: (url) => createClient(url, client),
    });
  // What they have under way goes on to its end.
  const closing = new Map<Agent, Promise<void>>();
  const retire = (agent: Agent): void => {
    closing.set(
      agent,
      agent.close().finally(() => closing.delete(agent)),
    );
  };
  const agents = new LRUCache<string, Agent>({
    ...entryLimit(mostOwners),
    memoMethod: () => new Agent({ factory: toOrigin }),
    dispose: retire,
  });
  return {
    of: (owner) => agents.memo(owner),
    close: async () => {
      agents.clear();
      await Promise.all(closing.values());
    },
    destroy: async () => {
      await Promise.all([...agents.values(), ...closing.keys()].map((agent) => agent.destroy()));
    },
  };
}
