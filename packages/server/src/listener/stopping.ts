import type { Server, Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { ClientSocket } from './watch-client-socket.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** Servers that accept connections: the HTTP server, and those that hand their connections to it. */
    readonly acceptingServers: Set<Server>;
    /** True while the service is stopping. Responses then close their connections. */
    readonly isStopping: () => boolean;
    /** Announces the end to clients, and waits for requests that are on their way. */
    readonly beginStop: () => Promise<void>;
  }
}

const STOP_WAIT_MS = 1000;
const ACCEPT_MS = 5000;
const LAST_BYTES_MS = 250;
const LAST_REQUEST_MS = 1000;

/** Closes each connection that waits for a response, after that response. */
function endAfterResponses(clients: Iterable<ClientSocket>): void {
  for (const { socket, response } of clients) response?.once('finish', () => socket.end());
}

/** Destroys connections without a request under way: each would keep the service running as long as its client likes. */
function closeIdle(clients: Iterable<ClientSocket>): void {
  for (const { socket, response } of clients) {
    if (response === undefined && !socket.writableEnded) socket.destroy();
  }
}

/**
 * Ends connections that are kept alive for later. A request that arrives at this moment is not read, so that no work is done
 * whose result nobody receives. The client sees an end, where a destroyed socket would answer with a reset.
 */
function endKeptAlive(clients: Iterable<ClientSocket>): void {
  for (const { socket, request, response } of clients) {
    if (request === undefined || response !== undefined || socket.writableEnded) continue;
    socket.pause();
    socket.end();
  }
}

/** Waits two turns of the event loop: a loop that was held up accepts connections in the first, and reads in the second. */
async function readArrived(): Promise<void> {
  await nextTurn();
  await nextTurn();
}

/** Closes a server in the first turn of the event loop without a new connection, at the latest after 5 s. */
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

/** Resolves when all connections of the server have ended. */
const closeServer = (server: Server): Promise<unknown> => new Promise((resolve) => server.close(resolve));

/** Ends connections without losing a call, when the service stops and whenever `app` closes. */
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
    endKeptAlive(clients.values());
    // Closing destroys these connections, and a client that has just sent bytes would see a reset.
    if (clients.size > 0) await wait(LAST_BYTES_MS);
    await Promise.all([...servers].map(closeWhenQuiet));
  });
  app.addHook('preClose', async () => {
    begin();
    endAfterResponses(clients.values());
    // No new connection can arrive by then, and the last bytes have arrived.
    const closeLast = async () => {
      await readArrived();
      closeIdle(clients.values());
    };
    setTimeout(closeLast, LAST_REQUEST_MS).unref();
    // Fastify waits for its own server.
    await Promise.all(
      [...servers].map((server) => (server === app.server ? undefined : closeServer(server))),
    );
  });
}
