import { LRUCache } from 'lru-cache';
import { Agent, Client, type Dispatcher, Pool } from 'undici';
import { entryLimit } from '../concurrency/entry-limit.js';
import type { Connector } from './checked-connector.js';
import { guardFraming } from './framing.js';
import { readAfterFailedWrite } from './read-after-failed-write.js';
import { type WatchedSocket, watchSocket } from './watch-socket.js';

export interface ClientOptions extends Omit<Client.Options, 'connect'> {
  readonly connect: Connector;
}

export interface OwnersOptions {
  /**
   * Maximum number of owners (applications) with open connections to upstreams. Beyond it, the connections of the least
   * recently used owner are closed after their running requests. Default: 1000.
   */
  readonly mostOwners?: number;
  /**
   * Maximum number of connections to one origin for the requests of one owner, such as an application. Further requests
   * wait for a free connection. Default: 256.
   */
  readonly mostConnections?: number;
  /** True leaves Node.js sockets unmodified (`SVC_PLAIN_RUNTIME`). Default: false. */
  readonly plainRuntime?: boolean;
}

/** Connection pools to upstreams, one per owner. An owner is an application, or a part of the service. */
export interface Owners {
  /** Returns the pool of an owner. Requests of other owners never use its connections. */
  readonly of: (owner: string) => Dispatcher;
  /** Closes all pools. Resolves when all running requests have ended. */
  readonly close: () => Promise<void>;
  /** Closes all pools and aborts all running requests. */
  readonly destroy: () => Promise<void>;
}

const neverFailed = (): boolean => false;

/**
 * Creates an undici client with a single connection. The client rejects a response whose end is ambiguous, such as a
 * response that the upstream ends by a reset (rule P11 in security-rules.md).
 */
function createClient(origin: URL, { connect, ...options }: ClientOptions, isPlain: boolean): Client {
  let socket: WatchedSocket | undefined;
  const client = new Client(origin, {
    ...options,
    connect: (target, callback) =>
      connect(target, (...outcome) => {
        const [, opened] = outcome;
        if (opened) socket = watchSocket(opened, isPlain ? neverFailed : readAfterFailedWrite(opened));
        callback(...outcome);
      }),
  });
  const dispatch = client.dispatch.bind(client);
  // Replaces `dispatch` instead of calling `compose`. `compose` returns another object, which the pool does not
  // recognize when the connection fails.
  client.dispatch = (request, handler) =>
    dispatch(
      request,
      guardFraming(handler, () => socket),
    );
  return client;
}

export function createOwners(
  client: ClientOptions,
  { mostOwners = 1_000, mostConnections = 256, plainRuntime = false }: OwnersOptions,
): Owners {
  const toOrigin = (origin: string | URL) =>
    new Pool(origin, {
      allowH2: false,
      connections: mostConnections,
      factory: (url) => createClient(url, client, plainRuntime),
    });
  // Agents that were evicted from the cache. Their running requests continue to the end.
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
