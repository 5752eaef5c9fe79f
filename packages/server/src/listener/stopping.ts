import type { Server, Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { ClientSocket } from './watch-client-socket.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** Servers that accept connections: the HTTP server and the servers that pass their connections to it. */
    readonly acceptingServers: Set<Server>;
    /** True while the service stops. Responses then contain `Connection: close`. */
    readonly isStopping: () => boolean;
    /**
     * Starts the stop: asks clients to close their connections, and waits for requests that are already in transit.
     */
    readonly beginStop: () => Promise<void>;
  }
}

const STOP_WAIT_MS = 1000;
const ACCEPT_MS = 5000;
const LAST_BYTES_MS = 250;
const LAST_REQUEST_MS = 1000;

/** Closes the connection of each running request after its response. */
function endAfterResponses(clients: Iterable<ClientSocket>): void {
  for (const { socket, response } of clients) response?.once('finish', () => socket.end());
}

/** Destroys connections without a running request. Otherwise an idle client could delay the stop without limit. */
function closeIdle(clients: Iterable<ClientSocket>): void {
  for (const { socket, response } of clients) {
    if (response === undefined && !socket.writableEnded) socket.destroy();
  }
}

/**
 * Closes idle keep-alive connections without a reset. A request that arrives now is not read, so no work is done whose
 * result would be lost.
 */
function closeKeepAlive(clients: Iterable<ClientSocket>): void {
  for (const { socket, request, response } of clients) {
    if (request === undefined || response !== undefined || socket.writableEnded) continue;
    socket.pause();
    socket.end();
  }
}

/**
 * Waits for two turns of the event loop. If the event loop was blocked, it accepts the waiting connections in the first
 * turn and reads their data in the second.
 */
async function readArrived(): Promise<void> {
  await nextTurn();
  await nextTurn();
}

/** Closes a server as soon as no new connection arrives during one turn of the event loop, at the latest after 5 s. */
async function closeWhenQuiet(server: Server): Promise<void> {
  let isComing = true;
  const onConnection = () => {
    isComing = true;
  };
  server.on('connection', onConnection);
  for (const end = performance.now() + ACCEPT_MS; isComing && performance.now() < end; ) {
    isComing = false;
    await nextTurn();
  }
  server.off('connection', onConnection).close();
}

/** Stops accepting connections. Resolves when all connections of the server have ended. */
const closeServer = (server: Server): Promise<unknown> => new Promise((resolve) => server.close(resolve));

/** Closes connections without losing a request, when the service stops and when `app` closes. */
export function addStopping(app: FastifyInstance, clients: ReadonlyMap<Socket, ClientSocket>): void {
  const servers = new Set<Server>([app.server]);
  let isStopping = false;
  const begin = () => {
    isStopping = true;
    for (const { response } of clients.values()) if (response) response.shouldKeepAlive = false;
  };
  app.decorate('acceptingServers', servers);
  app.decorate('isStopping', () => isStopping);
  app.decorate('beginStop', async () => {
    begin();
    await wait(STOP_WAIT_MS);
    await readArrived();
    closeKeepAlive(clients.values());
    // Waits for the last bytes of clients. Closing now would destroy their connections, and a client that has just sent
    // a request would get a reset.
    if (clients.size > 0) await wait(LAST_BYTES_MS);
    await Promise.all([...servers].map(closeWhenQuiet));
  });
  app.addHook('preClose', async () => {
    begin();
    endAfterResponses(clients.values());
    // Runs when the server accepts no more connections. First reads requests that clients have already sent, which
    // closing would lose. Then closes the connections without a running request.
    const closeLast = async () => {
      await readArrived();
      closeIdle(clients.values());
    };
    setTimeout(closeLast, LAST_REQUEST_MS).unref();
    // Skips the server of `app`, because Fastify closes it.
    await Promise.all(
      [...servers].map((server) => (server === app.server ? undefined : closeServer(server))),
    );
  });
}
