import { PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import { Pool, type PoolClient, types } from 'pg';
import { ServiceError } from '../errors.js';
import { withSessionSettings } from '../text/postgres-url.js';
import type { OpenDialect, PoolUse } from './dialect.js';
import {
  CONNECT_TIMEOUT_MS,
  connectTo,
  createLostClients,
  KEEPALIVE_SETTINGS,
  RESPONSE_TIMEOUT_MS,
  withResponseTimeout,
} from './postgres-client.js';
import { isReadOnly, translateErrors } from './postgres-error.js';
import { createStatementNames } from './prepared-statement.js';
import { createRowLock } from './row-lock.js';

export interface PostgresSource {
  /** Connection URL of the database, such as `postgres://user:password@host:5432/database`. */
  readonly url: string;
  /**
   * Maximum number of database connections of this instance (`SVC_DATABASE_CONNECTIONS`), for queries and locks
   * together. Default: 20.
   */
  readonly connections?: number;
}

const CONNECTIONS = 20;
const LOCK_SHARE = 0.4;
const INNER_CONNECTIONS = 2;
const MIGRATION_CONNECTIONS = 2;
// Timeout of a statement at the server, in milliseconds. The longest statements delete batches of rows, and count rows
// for the dashboard. They must end before the client's response timeout.
const STATEMENT_TIMEOUT_MS = RESPONSE_TIMEOUT_MS - 1000;
const KEEP_ALIVE_MS = 10_000;
const BIGINT_OID = 20;

// Parses `bigint` columns as numbers, because they contain milliseconds since 1970 and counts, which are far below
// 2^53.
const numericTypes: typeof types = Object.assign(Object.create(types), {
  getTypeParser: (oid: number, format?: 'text') =>
    oid === BIGINT_OID ? Number : types.getTypeParser(oid, format),
});

/**
 * Adapts a connection pool for Kysely. Also converts database errors, because every query passes through this function.
 */
function toKyselyPool(pool: Pool, { hasTimeouts }: { readonly hasTimeouts: boolean }): PostgresPool {
  const nameOf = createStatementNames();
  const { isLost, reportLost } = createLostClients<PoolClient>((listener) => pool.on('connect', listener));

  async function takeClient(): Promise<PoolClient> {
    for (;;) {
      const client = await connectTo(pool);
      if (!isLost(client)) return client;
      client.release(true);
    }
  }

  async function connect(): Promise<PostgresPoolClient> {
    const client = await takeClient();
    let isUseless = false;

    async function send(sql: string, parameters: readonly unknown[]) {
      if (isLost(client)) throw new Error('the connection to the database is lost');
      const sentAt = performance.now();
      const response = client.query({ name: nameOf(sql), text: sql, values: [...parameters] });
      return hasTimeouts ? withResponseTimeout(response, { onLost: () => reportLost(sentAt) }) : response;
    }

    function noteUselessClient(error: unknown): never {
      isUseless ||= isReadOnly(error);
      throw error;
    }

    // The type is unknown, because Kysely's type also has an overload for cursors, which the service does not use.
    const query: unknown = (sql: string, parameters: readonly unknown[]) =>
      translateErrors(send(sql, parameters).catch(noteUselessClient));
    return {
      query: query as PostgresPoolClient['query'],
      release: (destroy) => client.release(destroy || isUseless || isLost(client)),
    };
  }

  return { options: pool.options, end: () => pool.end(), connect };
}

/**
 * Divides the instance's database connections among pools for queries and for locks. Locks must not occupy all
 * connections, because work under a lock also sends queries.
 */
function divide(connections: number) {
  const locks = Math.max(1, Math.floor(connections * LOCK_SHARE));
  const innerLocks = Math.min(locks, INNER_CONNECTIONS);
  return { locks, innerLocks, queries: Math.max(1, connections - locks - innerLocks) };
}

function createPool(url: string, max: number, settings: readonly string[] = []): Pool {
  const pool = new Pool({
    connectionString: withSessionSettings(url, settings),
    max,
    types: numericTypes,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'svc-server',
  });
  // Ignores errors of idle database clients, because Node.js would otherwise end the process. A broken client fails its
  // next query and is then replaced.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

const useOf = (name: string, { totalCount, idleCount, waitingCount }: Pool): PoolUse => ({
  pool: name,
  used: totalCount - idleCount,
  idle: idleCount,
  waiting: waitingCount,
});

const NOW = 'select (extract(epoch from clock_timestamp()) * 1000)::bigint as now';

/** Opens a PostgreSQL database, which several instances may share. The first query opens the first connection. */
export function openPostgres({ url, connections = CONNECTIONS }: PostgresSource): OpenDialect {
  const most = divide(connections);
  const pool = createPool(url, most.queries, [`statement_timeout = ${STATEMENT_TIMEOUT_MS}`]);
  // Connection pool for migrations. Its keepalive settings detect an instance that vanished during a migration. Until
  // then, other instances wait for its migration lock.
  const migrating = createPool(url, MIGRATION_CONNECTIONS, KEEPALIVE_SETTINGS);
  const locks = createPool(url, most.locks);
  const innerLocks = createPool(url, most.innerLocks);
  return {
    kind: 'postgres',
    dialect: new PostgresDialect({ pool: toKyselyPool(pool, { hasTimeouts: true }) }),
    migrating: new PostgresDialect({ pool: toKyselyPool(migrating, { hasTimeouts: false }) }),
    lock: createRowLock(locks, { connections: most.locks }),
    innerLock: createRowLock(innerLocks, { connections: most.innerLocks }),
    pools: () => [useOf('queries', pool), useOf('locks', locks), useOf('inner_locks', innerLocks)],
    readNow: async () => (await translateErrors(pool.query<{ now: number }>(NOW))).rows[0]?.now ?? Date.now(),
    copyDatabase: async () => {
      throw new ServiceError(
        'invalid_request',
        'This command copies only the database file of the data folder, but the database is PostgreSQL. Copy it with pg_dump.',
      );
    },
    close: async () => {
      // Closes the pools that no query has used, because Kysely does not close them.
      for (const each of [pool, migrating, locks, innerLocks]) if (!each.ending) await each.end();
    },
  };
}
