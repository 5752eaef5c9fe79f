import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Log } from '../log/log.js';
import { createIsIn, networkOf } from './networks.js';
import { type RefuseSocket, TOO_SLOW } from './refuse-socket.js';
import { addStopping } from './stopping.js';
import { type ClientSocket, type Ending, watchClientSocket } from './watch-client-socket.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** Marks the request body as an upload, which may take long while bytes keep arriving. */
    readonly expectUpload: (request: IncomingMessage) => void;
  }
}

interface AddressLimit {
  /** Maximum number of open connections from one IP address. */
  readonly perAddress: number;
  /**
   * Addresses and networks of reverse proxies. They are exempt from the limit, because many clients connect through
   * them.
   */
  readonly trustedProxies: readonly string[];
}

export interface ClientSocketsOptions extends AddressLimit {
  readonly log: Log;
  /** Maximum number of open connections from all addresses together. */
  readonly total: number;
  readonly refuse: RefuseSocket;
  /** Open connections of clients. `boundClientSockets` adds and removes them. */
  readonly sockets: Map<Socket, ClientSocket>;
  /** Interval between two checks of a connection, in milliseconds. Default: 1000. */
  readonly lookMs?: number | undefined;
  /** True leaves Node.js sockets unmodified (`SVC_PLAIN_RUNTIME`). Default: false. */
  readonly plainRuntime?: boolean | undefined;
}

const LOOK_MS = 1000;
const LOOKS_PER_LINE = 60;

const LINES: Readonly<Record<Exclude<Ending, 'over'> | 'refused', string>> = {
  refused:
    'connections were refused, because SVC_MAX_CONNECTIONS or SVC_MAX_CONNECTIONS_PER_ADDRESS was reached; raise them if the callers are known',
  unread:
    'connections were closed, because the callers did not read the response in time; these callers must retry',
  late: 'connections were closed, because the callers did not send the whole request in time; these callers must retry',
};

type Counts = ReturnType<typeof createCounts>;

/**
 * Counts refused and closed connections, which may be many during an attack. Writes one log line per minute for each
 * kind.
 */
function createCounts(log: Log) {
  const counts = new Map<keyof typeof LINES, number>();
  return {
    add: (what: keyof typeof LINES) => counts.set(what, (counts.get(what) ?? 0) + 1),
    write: () => {
      for (const [what, count] of counts) log.warn(LINES[what], { count });
      counts.clear();
    },
  };
}

/**
 * Creates the function that admits a new connection. It counts the open connections of each client address. It returns
 * a function to call when the connection ends, or `undefined` if the address has too many connections.
 */
function createAdmit({ perAddress, trustedProxies }: AddressLimit) {
  const isTrusted = createIsIn(trustedProxies);
  const counts = new Map<string, number>();
  const add = (network: string, difference: number) => {
    const count = (counts.get(network) ?? 0) + difference;
    if (count === 0) counts.delete(network);
    else counts.set(network, count);
  };
  return function admit(address: string): (() => void) | undefined {
    if (isTrusted(address)) return () => undefined;
    const network = networkOf(address);
    if ((counts.get(network) ?? 0) >= perAddress) return undefined;
    add(network, 1);
    return () => add(network, -1);
  };
}

/**
 * Keeps a refused client's socket open until the client has read the response. Node.js would close it right after the
 * response. Unread request bytes then cause a TCP reset, which discards the response (decision 2 in packages/docs).
 */
function endGently(client: ClientSocket): void {
  const { socket } = client;
  const destroySoon = socket.destroySoon.bind(socket);
  socket.destroySoon = () => {
    if (client.request?.complete === false) socket.end();
    else destroySoon();
  };
}

function endSlow({ socket, response }: ClientSocket, ending: Ending, refuse: RefuseSocket): void {
  // The client does not read the response. A reset frees the kernel's send buffer immediately.
  if (ending === 'unread') return void socket.resetAndDestroy();
  if (ending === 'over' || response === undefined) return void socket.destroy();
  refuse({ code: TOO_SLOW }, socket);
  // Pauses the socket. Later bytes then start no second request, and cause no TCP reset that would discard the
  // response.
  socket.pause();
}

/** Records the current request and response of each socket, for Fastify and for the routes that bypass it. */
function followRequests(app: FastifyInstance, sockets: ReadonlyMap<Socket, ClientSocket>): void {
  app.server.prependListener('request', (request, response) => {
    const client = sockets.get(request.socket);
    if (app.isStopping()) response.shouldKeepAlive = false;
    if (client === undefined) return;
    client.request = request;
    client.response = response;
    client.takesUpload = false;
    response.once('close', () => {
      if (client.response === response) client.response = undefined;
    });
  });
  app.decorate('expectUpload', ({ socket }) => {
    const client = sockets.get(socket);
    if (client) client.takesUpload = true;
  });
}

type Watches = Map<ClientSocket, () => Ending | undefined>;

interface Watching {
  readonly watches: Watches;
  readonly counts: Counts;
}

/** Checks each accepted connection regularly, and refuses connections above the limits. */
function watchAdmitted(
  app: FastifyInstance,
  { sockets, total, perAddress, trustedProxies, plainRuntime = false }: ClientSocketsOptions,
  { watches, counts }: Watching,
): void {
  const admit = createAdmit({ perAddress, trustedProxies });
  app.server.maxConnections = total;
  app.server.on('drop', () => counts.add('refused'));
  app.server.on('connection', (socket) => {
    const leave = sockets.size < total ? admit(socket.remoteAddress ?? '') : undefined;
    if (!leave) {
      counts.add('refused');
      return socket.resetAndDestroy();
    }
    const client: ClientSocket = { socket };
    if (!plainRuntime) endGently(client);
    sockets.set(socket, client);
    watches.set(client, watchClientSocket(client));
    socket.once('close', () => {
      sockets.delete(socket);
      watches.delete(client);
      leave();
    });
  });
}

/**
 * Limits client connections: how many are open, and how long each may stay inactive. Also ends them when the service
 * stops.
 */
export function boundClientSockets(app: FastifyInstance, options: ClientSocketsOptions): void {
  const { sockets, log, refuse, lookMs = LOOK_MS } = options;
  const watches: Watches = new Map();
  const counts = createCounts(log);
  watchAdmitted(app, options, { watches, counts });

  let looks = 0;
  const look = () => {
    for (const [client, findEnding] of watches) {
      const ending = findEnding();
      if (ending === undefined) continue;
      if (ending !== 'over') counts.add(ending);
      endSlow(client, ending, refuse);
    }
    looks += 1;
    if (looks % LOOKS_PER_LINE === 0) counts.write();
  };
  const timer = setInterval(look, lookMs).unref();
  app.addHook('onClose', async () => {
    clearInterval(timer);
    counts.write();
  });
  addStopping(app, sockets);
  followRequests(app, sockets);
}
