import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Log } from '../log/log.js';
import { createPlaces, type PlacesOptions } from './connection-places.js';
import { type RefuseSocket, TOO_SLOW } from './refuse-socket.js';
import { addStopping } from './stopping.js';
import { type Connection, type Ending, watchConnection } from './watch-connection.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** The body of this request goes on as it comes, and may take long while it does. */
    readonly expectUpload: (request: IncomingMessage) => void;
  }
}

export interface ConnectionsOptions extends PlacesOptions {
  readonly log: Log;
  /** Connections of all addresses together. */
  readonly total: number;
  readonly refuse: RefuseSocket;
  readonly connections: Map<Socket, Connection>;
  readonly lookMs?: number;
}

const LOOK_MS = 1000;
const LOOKS_PER_LINE = 60;

const LINES: Readonly<Record<Exclude<Ending, 'over'> | 'refused', string>> = {
  refused: 'connections were refused, because there were too many',
  unread: 'connections were cut, because their callers did not take the answer',
  late: 'connections were cut, because their callers did not send the whole request',
};

type Counts = ReturnType<typeof createCounts>;

/** Counts what an attack makes happen often, and tells of it once a minute. */
function createCounts(log: Log) {
  const counts = new Map<keyof typeof LINES, number>();
  return {
    add: (what: keyof typeof LINES) => counts.set(what, (counts.get(what) ?? 0) + 1),
    tell: () => {
      for (const [what, count] of counts) log.warn(LINES[what], { count });
      counts.clear();
    },
  };
}

// Node destroys the socket after the last answer. Bytes that have not been read by then make the kernel reset it, and the
// answer is lost: so the caller may go on sending until it has seen the end.
function endGently(connection: Connection): void {
  const { socket } = connection;
  const destroySoon = socket.destroySoon.bind(socket);
  socket.destroySoon = () => {
    if (connection.request?.complete === false) socket.end();
    else destroySoon();
  };
}

function endSlow({ socket, answer }: Connection, ending: Ending, { refuse }: ConnectionsOptions): void {
  // A reset gives back at once what the kernel holds for a reader that does not come.
  if (ending === 'unread') return void socket.resetAndDestroy();
  if (ending === 'over' || answer === undefined) return void socket.destroy();
  refuse({ code: TOO_SLOW }, socket);
  // What arrives now must not become a request that is answered twice; and a caller whose bytes are refused loses the answer.
  socket.pause();
}

/** Of every request, whoever answers it. */
function follow(app: FastifyInstance, connections: ReadonlyMap<Socket, Connection>): void {
  app.server.prependListener('request', (request, answer) => {
    const connection = connections.get(request.socket);
    if (app.isStopping()) answer.shouldKeepAlive = false;
    if (connection === undefined) return;
    connection.request = request;
    connection.answer = answer;
    connection.takesUpload = false;
    answer.once('close', () => {
      if (connection.answer === answer) connection.answer = undefined;
    });
  });
  app.decorate('expectUpload', ({ socket }) => {
    const connection = connections.get(socket);
    if (connection) connection.takesUpload = true;
  });
}

type Watches = Map<Connection, () => Ending | undefined>;

/** Watches every connection from its beginning, if there is a place for it. */
function watch(
  app: FastifyInstance,
  watches: Watches,
  options: ConnectionsOptions & { counts: Counts },
): void {
  const { connections, counts, total } = options;
  const takePlace = createPlaces(options);
  app.server.maxConnections = total;
  app.server.on('drop', () => counts.add('refused'));
  app.server.on('connection', (socket) => {
    const free = connections.size < total ? takePlace(socket.remoteAddress ?? '') : undefined;
    if (!free) {
      counts.add('refused');
      return socket.resetAndDestroy();
    }
    const connection: Connection = { socket };
    endGently(connection);
    connections.set(socket, connection);
    watches.set(connection, watchConnection(connection));
    socket.once('close', () => {
      connections.delete(socket);
      watches.delete(connection);
      free();
    });
  });
}

/** Bounds the connections of `app`: how many there are, how long each may stand still, and how they end with the service. */
export function boundConnections(app: FastifyInstance, options: ConnectionsOptions): void {
  const { connections, log, lookMs = LOOK_MS } = options;
  const watches: Watches = new Map();
  const counts = createCounts(log);
  watch(app, watches, { ...options, counts });

  let looks = 0;
  const look = () => {
    for (const [connection, isOver] of watches) {
      const ending = isOver();
      if (ending === undefined) continue;
      if (ending !== 'over') counts.add(ending);
      endSlow(connection, ending, options);
    }
    looks += 1;
    if (looks % LOOKS_PER_LINE === 0) counts.tell();
  };
  const timer = setInterval(look, lookMs).unref();
  app.addHook('onClose', async () => {
    clearInterval(timer);
    counts.tell();
  });
  addStopping(app, connections);
  follow(app, connections);
}
