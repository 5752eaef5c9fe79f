import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** `query`: pauses before the database receives the query. `outcome`: pauses after execution, before the result. */
export type QueryMoment = 'query' | 'outcome';

/** TCP proxy before PostgreSQL. Forwards everything, and pauses connections that send a query with a given text. */
export interface DatabaseGate {
  /** Connection URL of the database through the proxy. */
  readonly url: string;
  /** Pauses the next `count` queries that contain `text`. Resolves when all of them are paused. */
  readonly pauseQueries: (text: string, moment: QueryMoment, count: number) => Promise<void>;
  /** Closes the paused connections. Queries that the database has not received are lost. */
  readonly drop: () => void;
  /** Closes every connection and refuses new ones, until `mend` is called. */
  readonly cut: () => void;
  readonly mend: () => void;
  /** Delays every response by this number of milliseconds. */
  readonly slow: (ms: number) => void;
  /** Pauses all traffic and keeps the connections open, like a database that hangs. */
  readonly pause: () => void;
  /** Forwards all traffic that `pause` has stopped. */
  readonly resume: () => void;
  /** Lets new connections through after `pause`. Old connections stay silent forever, as after the loss of a host. */
  readonly abandon: () => void;
  readonly stop: () => Promise<void>;
}

/** State of one connection. `blocked` stops its traffic until the promise resolves. */
interface Connection {
  blocked?: Promise<void> | undefined;
}

interface Plan {
  readonly text: string;
  readonly moment: QueryMoment;
  /** `unmet`: number of queries still to match. `missing`: number of queries that are not paused yet. */
  unmet: number;
  missing: number;
  readonly onPaused: () => void;
}

/** Returns the plan if the chunk contains the plan's text and the plan still expects queries. */
function matchPlan(plan: Plan | undefined, chunk: unknown): Plan | undefined {
  if (plan === undefined || plan.unmet === 0 || !String(chunk).includes(plan.text)) return undefined;
  plan.unmet -= 1;
  return plan;
}

function countPaused(plan: Plan): void {
  plan.missing -= 1;
  if (plan.missing === 0) plan.onPaused();
}

export async function startDatabaseGate(databaseUrl: string): Promise<DatabaseGate> {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let plan: Plan | undefined;
  let isCut = false;
  let delayMs = 0;
  const paused = new Set<Socket>();
  const connections = new Set<Connection>();
  let blocked: PromiseWithResolvers<void> | undefined;

  function track(socket: Socket): void {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => sockets.delete(socket));
  }

  async function forward(client: Socket, server: Socket, connection: Connection): Promise<void> {
    for await (const chunk of client) {
      await connection.blocked;
      const match = matchPlan(plan, chunk);
      if (match) paused.add(server);
      if (match?.moment === 'query') {
        countPaused(match);
        await once(server, 'close');
        return;
      }
      // A response means that the database has executed the query. The proxy drops only the response.
      if (match) server.once('data', () => countPaused(match));
      server.write(chunk);
    }
    server.end();
  }

  const listener = createServer((client) => {
    if (isCut) return client.destroy();
    const server = connect(Number(port), hostname);
    track(client);
    track(server);
    const connection: Connection = { blocked: blocked?.promise };
    connections.add(connection);
    let delivered = Promise.resolve();
    server.on('data', (chunk) => {
      delivered = delivered
        .then(() => connection.blocked)
        .then(() => (delayMs === 0 ? undefined : wait(delayMs)))
        .then(() => void (paused.has(server) || client.write(chunk)));
    });
    server.once('close', () => {
      paused.delete(server);
      connections.delete(connection);
      client.destroy();
    });
    forward(client, server, connection).catch(() => server.destroy());
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(listener.address() as AddressInfo).port}`;
  return {
    url: url.href,
    pauseQueries: (text, moment, count) => {
      const allPaused = Promise.withResolvers<void>();
      plan = { text, moment, unmet: count, missing: count, onPaused: allPaused.resolve };
      return allPaused.promise;
    },
    drop: () => {
      for (const socket of paused) socket.destroy();
    },
    cut: () => {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    mend: () => {
      isCut = false;
    },
    slow: (ms) => {
      delayMs = ms;
    },
    pause: () => {
      blocked = Promise.withResolvers();
      for (const connection of connections) connection.blocked = blocked.promise;
    },
    resume: () => {
      blocked?.resolve();
      blocked = undefined;
    },
    abandon: () => {
      blocked = undefined;
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      listener.close();
    },
  };
}
