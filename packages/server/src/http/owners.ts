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
   * Maximum number of owners, such as applications, with open connections to upstreams. For a further owner, the
   * service closes the connections of the least recently used one after their running requests. Default: 1000.
   */
  readonly mostOwners?: number;
  /**
   * Maximum number of connections to one origin for the requests of one owner, such as an application. Further requests
   * wait for a free connection. Default: 256.
   */
  readonly mostConnections?: number;
  /**
   * If true, sockets are used as Node.js creates them, without {@link readAfterFailedWrite} (setting
   * `SVC_PLAIN_RUNTIME`). Default: false.
   */
  readonly plainRuntime?: boolean;
}

/** Connection pools to upstreams, one per owner. An owner is an application or a part of the service. */
export interface Owners {
  /** Returns the connection pool of an owner. Requests of other owners never use its connections. */
  readonly of: (owner: string) => Dispatcher;
  /** Closes all pools. Resolves when all running requests have ended. */
  readonly close: () => Promise<void>;
  /** Closes all pools and aborts all running requests. */
  readonly destroy: () => Promise<void>;
}

const neverFailed = (): boolean => false;

/**
 * Creates an undici client with a single connection. It rejects a response whose end is ambiguous, for example because
 * the upstream reset the connection (rule P11 in security-rules.md).
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
  // Replaces `dispatch` instead of calling `compose`, because `compose` returns another object. The pool would not
  // recognize that object when the connection fails.
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
  // Agents that the cache has evicted, with promises that resolve when their running requests have ended.
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
