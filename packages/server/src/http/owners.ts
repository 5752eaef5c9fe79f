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
  /** Maximum number of owners with open connections. The one that has sent nothing for longest loses its connections. Default: 1000. */
  readonly mostOwners?: number;
  /** Maximum number of connections of one owner to one origin; more requests wait. Default: 256. */
  readonly mostConnections?: number;
  /** Leaves sockets as Node.js makes them (`SVC_PLAIN_RUNTIME`). Default: false. */
  readonly plainRuntime?: boolean;
}

/** Upstream connections, separate for each owner. */
export interface Owners {
  /** Connections of one application, or of another owner. No request of anybody else uses them. */
  readonly of: (owner: string) => Dispatcher;
  /** Resolves when every request under way has ended. */
  readonly close: () => Promise<void>;
  /** Ends every request at once. */
  readonly destroy: () => Promise<void>;
}

const neverFailed = (): boolean => false;

/** A client with one connection at a time, whose responses are checked by rule P11. */
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
  // Not `compose`: its result is another object, which the pool does not recognise when the connection fails.
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
  // Requests of a retired agent go on to their end.
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
