import type { Server, Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Connection } from './watch-connection.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** What lets callers in: the server itself, and whatever passes connections on to it. */
    readonly doors: Set<Server>;
    /** Whether the service is to stop: no caller should come again. */
    readonly isStopping: () => boolean;
    /** Tells callers that their connections end, and waits for what is on its way already. */
    readonly beginStop: () => Promise<void>;
  }
}

type Connections = ReadonlyMap<Socket, Connection>;

const STOP_WAIT_MS = 1000;
const LET_IN_MS = 5000;
const LAST_WORD_MS = 250;
const LAST_REQUEST_MS = 1000;

/** Who waits for an answer gets it, and is told that the connection ends with it. */
function endAfterAnswers(connections: Iterable<Connection>): void {
  for (const { socket, answer } of connections) answer?.once('finish', () => socket.end());
}

/** Who waits for nothing would keep a connection, and with it the service, open for as long as they like. */
function closeIdle(connections: Iterable<Connection>): void {
  for (const { socket, answer } of connections) {
    if (answer === undefined && !socket.writableEnded) socket.destroy();
  }
}

/**
 * Who has kept a connection for later is told by its end. A request that comes at the same moment is not read, so that
 * nothing is done that nobody hears of; and the caller sees an end, where a closed socket would answer with a reset.
 */
function endKept(connections: Iterable<Connection>): void {
  for (const { socket, request, answer } of connections) {
    if (request === undefined || answer !== undefined || socket.writableEnded) continue;
    socket.pause();
    socket.end();
  }
}

// A loop that was held up looks at its clock before its sockets: in one turn it lets in who has come, in the next it reads.
async function hearArrived(): Promise<void> {
  await nextTurn();
  await nextTurn();
}

/** Closes a listener in the very turn in which nobody has come, as far as there is one in time. */
async function closeBehindLast(server: Server): Promise<void> {
  let isComing = true;
  const come = () => {
    isComing = true;
  };
  server.on('connection', come);
  for (const end = performance.now() + LET_IN_MS; isComing && performance.now() < end; ) {
    isComing = false;
    await nextTurn();
  }
  server.off('connection', come).close();
}

/** Resolves when all who came in there have gone. */
const closeDoor = (door: Server): Promise<unknown> => new Promise((resolve) => door.close(resolve));

/** Ends connections without a call lost: when the service is told to stop, and whenever `app` closes. */
export function addStopping(app: FastifyInstance, connections: Connections): void {
  const doors = new Set<Server>([app.server]);
  let isStopping = false;
  const begin = () => {
    isStopping = true;
    for (const { answer } of connections.values()) if (answer) answer.shouldKeepAlive = false;
  };
  app.decorate('doors', doors);
  app.decorate('isStopping', () => isStopping);
  app.decorate('beginStop', async () => {
    begin();
    await wait(STOP_WAIT_MS);
    await hearArrived();
    endKept(connections.values());
    // What follows destroys them, and whoever has just sent something would see a reset.
    if (connections.size > 0) await wait(LAST_WORD_MS);
    await Promise.all([...doors].map(closeBehindLast));
  });
  app.addHook('preClose', async () => {
    begin();
    endAfterAnswers(connections.values());
    // By then nobody new can come, and what the last ones sent has arrived.
    const closing = async () => {
      await hearArrived();
      closeIdle(connections.values());
    };
    setTimeout(closing, LAST_REQUEST_MS).unref();
    // Of the server itself whoever closes it waits.
    await Promise.all([...doors].map((door) => (door === app.server ? undefined : closeDoor(door))));
  });
}
