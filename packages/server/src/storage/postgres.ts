import { PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import { Pool, type PoolClient, types } from 'pg';
import { ServiceError } from '../errors.js';
import { createAges } from './connection-ages.js';
import type { OpenDialect } from './dialect.js';
import { ANSWER_TIMEOUT_MS, answered } from './postgres-answer.js';
import { CONNECT_TIMEOUT_MS, connectTo, NOTICE_SILENCE } from './postgres-connect.js';
import { isReadOnly, translated } from './postgres-error.js';
import { createRowLock } from './row-lock.js';

export interface PostgresSource {
  /** `postgres://user:password@host:5432/database`. */
  readonly url: string;
  /** Of queries; half as many and two more guard refreshes. 20 by default. */
  readonly connections?: number;
}

const CONNECTIONS = 20;
const INNER_CONNECTIONS = 2;
// The longest statements are slices, and counts of what an operator asks about.
const STATEMENT_TIMEOUT_MS = ANSWER_TIMEOUT_MS - 1000;
const KEEP_ALIVE_MS = 10_000;
const BIGINT_OID = 20;

// Milliseconds since 1970 and counts: far below 2^53.
const numericTypes: typeof types = Object.assign(Object.create(types), {
  getTypeParser: (oid: number, format?: 'text') =>
    oid === BIGINT_OID ? Number : types.getTypeParser(oid, format),
});

// Faults of the database are told apart from faults of ours here, where every query passes.
function translating(pool: Pool, { hasLimits }: { readonly hasLimits: boolean }): PostgresPool {
  const { isLost, lose } = createAges((note) => pool.on('connect', note));

  async function connect(): Promise<PoolClient> {
    for (;;) {
      const client = await connectTo(pool);
      if (!isLost(client)) return client;
      client.release(true);
    }
  }

  return {
    options: pool.options,
    end: () => pool.end(),
    connect: async () => {
      const client = await connect();
      let isUseless = false;
      const note = (error: unknown): never => {
        isUseless ||= isReadOnly(error);
        throw error;
      };
      async function ask(sql: string, parameters: readonly unknown[]) {
        if (isLost(client)) throw new Error('the connection is lost');
        const asked = performance.now();
        const answer = client.query(sql, [...parameters]);
        return hasLimits ? answered(answer, { onLost: () => lose(asked) }) : answer;
      }
      // The other form of the type is for cursors, which nobody here asks for.
      const query: unknown = (sql: string, parameters: readonly unknown[]) =>
        translated(ask(sql, parameters).catch(note));
      return {
        query: query as PostgresPoolClient['query'],
        release: (destroy) => client.release(destroy || isUseless || isLost(client)),
      };
    },
  };
}

function createPool(url: string, max: number, settings: readonly string[] = []): Pool {
  const pool = new Pool({
    connectionString: url,
    max,
    types: numericTypes,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'svc-server',
    options: settings.map((setting) => `-c ${setting.replaceAll(' ', '')}`).join(' '),
  });
  // A connection that breaks fails its query and is replaced at the next use; an event that nobody hears would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

const NOW = 'select (extract(epoch from clock_timestamp()) * 1000)::bigint as now';

/** A database that any number of instances share. Nothing is connected before the first query. */
export function openPostgres({ url, connections = CONNECTIONS }: PostgresSource): OpenDialect {
  const pool = createPool(url, connections, [`statement_timeout = ${STATEMENT_TIMEOUT_MS}`]);
  // An instance that vanishes while it changes the tables keeps the others from starting until then.
  const migrating = createPool(url, INNER_CONNECTIONS, NOTICE_SILENCE);
  // Apart from the queries: work that holds a name needs connections of the other kind to end.
  const guarding = Math.ceil(connections / 2);
  const guards = createPool(url, guarding);
  const innerGuards = createPool(url, INNER_CONNECTIONS);
  return {
    kind: 'postgres',
    dialect: new PostgresDialect({ pool: translating(pool, { hasLimits: true }) }),
    migrating: new PostgresDialect({ pool: translating(migrating, { hasLimits: false }) }),
    lock: createRowLock(guards, { connections: guarding }),
    innerLock: createRowLock(innerGuards, { connections: INNER_CONNECTIONS }),
    readNow: async () => (await translated(pool.query<{ now: number }>(NOW))).rows[0]?.now ?? Date.now(),
    copyDatabase: async () => {
      throw new ServiceError(
        'invalid_request',
        'A PostgreSQL is copied by its own tools: use pg_dump, and pg_restore to restore it.',
      );
    },
    close: async () => {
      // One that no query has used yet is not ended by what the queries go through.
      for (const each of [pool, migrating, guards, innerGuards]) if (!each.ending) await each.end();
    },
  };
}
