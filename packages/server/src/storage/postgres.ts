import { PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import { Pool, types } from 'pg';
import type { OpenDialect } from './open-dialect.js';
import { CONNECT_TIMEOUT_MS, connectTo } from './postgres-connect.js';
import { translated } from './postgres-error.js';
import { createRowLock } from './row-lock.js';

export interface PostgresSource {
  /** `postgres://user:password@host:5432/database`. */
  readonly url: string;
  /** Of queries; half as many and two more guard refreshes. 20 by default. */
  readonly connections?: number;
}

const CONNECTIONS = 20;
const INNER_CONNECTIONS = 2;
const KEEP_ALIVE_MS = 10_000;
const BIGINT_OID = 20;

// Milliseconds since 1970 and counts: far below 2^53.
const numericTypes: typeof types = Object.assign(Object.create(types), {
  getTypeParser: (oid: number, format?: 'text') =>
    oid === BIGINT_OID ? Number : types.getTypeParser(oid, format),
});

// Faults of the database are told apart from faults of ours here, where every query passes.
const translating = (pool: Pool): PostgresPool => ({
  options: pool.options,
  end: () => pool.end(),
  connect: async () => {
    const client = await connectTo(pool);
    // The other form of the type is for cursors, which nobody here asks for.
    const query: unknown = (sql: string, parameters: readonly unknown[]) =>
      translated(client.query(sql, [...parameters]));
    return { query: query as PostgresPoolClient['query'], release: (destroy) => client.release(destroy) };
  },
});

function createPool(url: string, max: number, settings = ''): Pool {
  const pool = new Pool({
    connectionString: url,
    max,
    types: numericTypes,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'svc-server',
    options: settings,
  });
  // A connection that breaks fails its query and is replaced at the next use; an event that nobody hears would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

const NOW = 'select (extract(epoch from clock_timestamp()) * 1000)::bigint as now';

/** A database that any number of instances share. Nothing is connected before the first query. */
export function openPostgres({ url, connections = CONNECTIONS }: PostgresSource): OpenDialect {
  const pool = createPool(url, connections, '-c statement_timeout=30000');
  // Apart from the queries: work that holds a name needs connections of the other kind to end.
  const guarding = Math.ceil(connections / 2);
  const guards = createPool(url, guarding);
  const innerGuards = createPool(url, INNER_CONNECTIONS);
  return {
    kind: 'postgres',
    dialect: new PostgresDialect({ pool: translating(pool) }),
    lock: createRowLock(guards, { connections: guarding }),
    innerLock: createRowLock(innerGuards, { connections: INNER_CONNECTIONS }),
    readNow: async () => (await translated(pool.query<{ now: number }>(NOW))).rows[0]?.now ?? Date.now(),
    close: async () => {
      await guards.end();
      await innerGuards.end();
    },
  };
}
