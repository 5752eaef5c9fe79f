import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** `query`: the database has not seen it yet. `outcome`: it has done it, and the service does not know. */
export type QueryMoment = 'query' | 'outcome';

/** Stands before a PostgreSQL, lets everything through, and stops the connection that sends a query which a test names. */
export interface DatabaseGate {
  /** The same database, by way of the gate. */
  readonly url: string;
  /** Resolves when the next query that contains this text has come so far; it goes no further. */
  readonly hold: (text: string, moment: QueryMoment) => Promise<void>;
  /** Lets go of what is held. */
  readonly release: () => void;
  /** Breaks every connection, and refuses new ones. */
  readonly cut: () => void;
  readonly mend: () => void;
  readonly stop: () => Promise<void>;
}

interface Plan {
  readonly text: string;
  readonly moment: QueryMoment;
  readonly reach: () => void;
}

export async function startDatabaseGate(databaseUrl: string): Promise<DatabaseGate> {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let plan: Plan | undefined;
  let isCut = false;
  let released = Promise.withResolvers<void>();

  function keep(socket: Socket): void {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => sockets.delete(socket));
  }

  async function forward(client: Socket, server: Socket): Promise<void> {
    for await (const chunk of client) {
      const met = plan && String(chunk).includes(plan.text) ? plan : undefined;
      if (met) plan = undefined;
      if (met?.moment === 'query') {
        met.reach();
        await released.promise;
      }
      if (met?.moment === 'outcome') {
        server.pause();
        // The database has done it when it answers: only its answer stays behind.
        server.once('readable', met.reach);
        void released.promise.then(() => server.resume());
      }
      server.write(chunk);
    }
    server.end();
  }

  const listener = createServer((client) => {
    if (isCut) return client.destroy();
    const server = connect(Number(port), hostname);
    keep(client);
    keep(server);
    server.on('data', (chunk) => client.write(chunk));
    server.once('close', () => client.destroy());
    forward(client, server).catch(() => server.destroy());
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(listener.address() as AddressInfo).port}`;
  return {
    url: url.href,
    hold: (text, moment) => {
      const reached = Promise.withResolvers<void>();
      released = Promise.withResolvers<void>();
      plan = { text, moment, reach: reached.resolve };
      return reached.promise;
    },
    release: () => released.resolve(),
    cut: () => {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    mend: () => {
      isCut = false;
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      listener.close();
    },
  };
}
