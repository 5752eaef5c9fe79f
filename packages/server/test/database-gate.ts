import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** `query`: the database has not seen it yet. `outcome`: it has done it, and the service does not know. */
export type QueryMoment = 'query' | 'outcome';

/** Stands before a PostgreSQL, lets everything through, and stops the connection that sends a query which a test names. */
export interface DatabaseGate {
  /** The same database, by way of the gate. */
  readonly url: string;
  /** Resolves when the next queries that contain this text, so many, have come so far; they go no further. */
  readonly hold: (text: string, moment: QueryMoment, count: number) => Promise<void>;
  /** Breaks the connections that are held: what the database has not seen it never sees. */
  readonly drop: () => void;
  /** Breaks every connection, and refuses new ones. */
  readonly cut: () => void;
  readonly mend: () => void;
  /** Nothing gets through any more, and nobody is told: the database stands still. */
  readonly pause: () => void;
  /** Releases the paused queries. */
  readonly resume: () => void;
  /** New connections get through; those that stood still are never heard of again, as those to a host that is gone. */
  readonly abandon: () => void;
  readonly stop: () => Promise<void>;
}

/** While the promise is there and has not resolved, nothing of the connection gets through. */
interface Passage {
  standing?: Promise<void> | undefined;
}

interface Plan {
  readonly text: string;
  readonly moment: QueryMoment;
  /** Number of queries still to pause, and of paused queries that have not arrived yet. */
  unmet: number;
  missing: number;
  readonly reach: () => void;
}

/** The plan that this text meets, if any. */
function meet(plan: Plan | undefined, chunk: unknown): Plan | undefined {
  if (plan === undefined || plan.unmet === 0 || !String(chunk).includes(plan.text)) return undefined;
  plan.unmet -= 1;
  return plan;
}

function reach(plan: Plan): void {
  plan.missing -= 1;
  if (plan.missing === 0) plan.reach();
}

export async function startDatabaseGate(databaseUrl: string): Promise<DatabaseGate> {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let plan: Plan | undefined;
  let isCut = false;
  const held = new Set<Socket>();
  const passages = new Set<Passage>();
  let standing: PromiseWithResolvers<void> | undefined;

  function keep(socket: Socket): void {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => sockets.delete(socket));
  }

  async function forward(client: Socket, server: Socket, passage: Passage): Promise<void> {
    for await (const chunk of client) {
      await passage.standing;
      const met = meet(plan, chunk);
      if (met) held.add(server);
      if (met?.moment === 'query') {
        reach(met);
        await once(server, 'close');
        return;
      }
      // The database has done it when it answers: only its answer stays behind.
      if (met) server.once('data', () => reach(met));
      server.write(chunk);
    }
    server.end();
  }

  const listener = createServer((client) => {
    if (isCut) return client.destroy();
    const server = connect(Number(port), hostname);
    keep(client);
    keep(server);
    const passage: Passage = { standing: standing?.promise };
    passages.add(passage);
    let passed = Promise.resolve();
    server.on('data', (chunk) => {
      passed = passed.then(() => passage.standing).then(() => void (held.has(server) || client.write(chunk)));
    });
    server.once('close', () => {
      passages.delete(passage);
      client.destroy();
    });
    forward(client, server, passage).catch(() => server.destroy());
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(listener.address() as AddressInfo).port}`;
  return {
    url: url.href,
    hold: (text, moment, count) => {
      const reached = Promise.withResolvers<void>();
      plan = { text, moment, unmet: count, missing: count, reach: reached.resolve };
      return reached.promise;
    },
    drop: () => {
      for (const socket of held) socket.destroy();
      held.clear();
    },
    cut: () => {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    mend: () => {
      isCut = false;
    },
    pause: () => {
      standing = Promise.withResolvers();
      for (const passage of passages) passage.standing = standing.promise;
    },
    resume: () => {
      standing?.resolve();
      standing = undefined;
    },
    abandon: () => {
      standing = undefined;
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      listener.close();
    },
  };
}
