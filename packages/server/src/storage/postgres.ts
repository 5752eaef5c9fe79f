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
  /** Connection URL, such as `postgres://user:password@host:5432/database`. */
  readonly url: string;
  /**
   * Maximum number of connections of this instance (`SVC_DATABASE_CONNECTIONS`), for queries and locks together.
   * Default: 20.
   */
  readonly connections?: number;
}

const CONNECTIONS = 20;
const LOCK_SHARE = 0.4;
const INNER_CONNECTIONS = 2;
const MIGRATION_CONNECTIONS = 2;
// Timeout of a statement at the server. The longest statements are batches of deletions, and row counts for the
// dashboard. They must end before the response timeout of the client.
const STATEMENT_TIMEOUT_MS = RESPONSE_TIMEOUT_MS - 1000;
const KEEP_ALIVE_MS = 10_000;
const BIGINT_OID = 20;

// A `bigint` column is parsed as a number: milliseconds since 1970 and counts are far below 2^53.
const numericTypes: typeof types = Object.assign(Object.create(types), {
  getTypeParser: (oid: number, format?: 'text') =>
    oid === BIGINT_OID ? Number : types.getTypeParser(oid, format),
});

/**
 * Adapts a connection pool for Kysely. Database errors are translated here, because every query passes through this
 * function.
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

    // Kysely's type also has an overload for cursors, which the service does not use.
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
 * Divides the instance's database connections among pools for queries and for locks. Work under a lock also sends
 * queries, so locks must not occupy all connections.
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
  // A broken database client fails its query and is replaced at the next use. Without a listener, the pool's `error`
  // event would end the process.
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

/** Opens a PostgreSQL database that several instances may share. The first query opens the first connection. */
export function openPostgres({ url, connections = CONNECTIONS }: PostgresSource): OpenDialect {
  const most = divide(connections);
  const pool = createPool(url, most.queries, [`statement_timeout = ${STATEMENT_TIMEOUT_MS}`]);
  // Connection pool for migrations. Keepalive detects an instance that vanished during a migration. Until then, other
  // instances wait for its migration lock.
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
      // Kysely closes a pool only if a query has used it, so unused pools are closed here.
      for (const each of [pool, migrating, locks, innerLocks]) if (!each.ending) await each.end();
    },
  };
}
