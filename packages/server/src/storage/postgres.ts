import { PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import { DatabaseError, Pool, type PoolClient, types } from 'pg';
import { ServiceError } from '../errors.js';
import { createLock, type Lock } from './lock.js';
import type { OpenDialect } from './open-dialect.js';

export interface PostgresSource {
  /** `postgres://user:password@host:5432/database`. */
  readonly url: string;
  /** Of queries; half as many more guard refreshes. 20 by default. */
  readonly connections?: number;
}

const CONNECTIONS = 20;
const CONNECT_TIMEOUT_MS = 5000;
// Longer than an exchange with an authorization server may take, so that who waits sees its outcome.
const LOCK_TIMEOUT_MS = 25_000;
const LOCK_NOT_AVAILABLE = '55P03';
const BIGINT_OID = 20;

// Milliseconds since 1970 and counts: far below 2^53.
const numericTypes: typeof types = Object.assign(Object.create(types), {
  getTypeParser: (oid: number, format?: 'text') =>
    oid === BIGINT_OID ? Number : types.getTypeParser(oid, format),
});

/** Classes of SQLSTATE that say nothing of the query: connection, resources, operator intervention, system. */
const OUTAGE = /^(08|53|57P|58)/;

const codeOf = (error: unknown): string => (error instanceof DatabaseError ? (error.code ?? '') : '');

// What the database itself says has a code; a connection that breaks ends in a system error or in plain words.
const isOutage = (error: unknown): boolean =>
  error instanceof DatabaseError ? OUTAGE.test(codeOf(error)) : !(error instanceof TypeError);

function toServiceError(error: unknown): unknown {
  if (!isOutage(error)) return error;
  return new ServiceError(
    'unavailable',
    'The database cannot be reached. Try again shortly.',
    { retryAfter: 1 },
    { cause: error },
  );
}

const translated = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw toServiceError(error);
  });

// Faults of the database are told apart from faults of ours here, where every query passes.
const translating = (pool: Pool): PostgresPool => ({
  options: pool.options,
  end: () => pool.end(),
  connect: async () => {
    const client = await translated(pool.connect());
    // The other form of the type is for cursors, which nobody here asks for.
    const query: unknown = (sql: string, parameters: readonly unknown[]) =>
      translated(client.query(sql, [...parameters]));
    return { query: query as PostgresPoolClient['query'], release: (destroy) => client.release(destroy) };
  },
});

function createPool(url: string, max: number, settings: string): Pool {
  const pool = new Pool({
    connectionString: url,
    max,
    types: numericTypes,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'svc-server',
    options: settings,
  });
  // A connection that breaks fails its query and is replaced at the next use; an event that nobody hears would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/**
 * A row that exists only while it is held: its insertion waits for whoever inserted it before, and is never committed.
 * The database releases it when the process or its connection ends, and not by a clock.
 */
function createRowLock(pool: Pool): Lock {
  const inProcess = createLock();

  async function hold<T>(client: PoolClient, name: string, work: () => Promise<T>): Promise<T> {
    await client.query('begin');
    await client.query('insert into held_names (name) values ($1)', [name]).catch((error: unknown) => {
      if (codeOf(error) !== LOCK_NOT_AVAILABLE) throw toServiceError(error);
      throw new ServiceError('unavailable', 'Another instance is still at work on this. Try again shortly.', {
        retryAfter: 1,
      });
    });
    return work();
  }

  async function withClient<T>(name: string, work: () => Promise<T>): Promise<T> {
    const client = await translated(pool.connect());
    try {
      return await hold(client, name, work);
    } finally {
      const broken = await client.query('rollback').then(
        () => false,
        () => true,
      );
      client.release(broken);
    }
  }

  return (name, work) => inProcess(name, () => withClient(name, work));
}

/** A database that any number of instances share. Nothing is connected before the first query. */
export function openPostgres({ url, connections = CONNECTIONS }: PostgresSource): OpenDialect {
  const pool = createPool(url, connections, '-c statement_timeout=30000');
  // Apart from the queries: work that holds a name needs connections of the other kind to end.
  const guards = createPool(url, Math.ceil(connections / 2), `-c lock_timeout=${LOCK_TIMEOUT_MS}`);
  return {
    kind: 'postgres',
    dialect: new PostgresDialect({ pool: translating(pool) }),
    lock: createRowLock(guards),
    close: () => guards.end(),
  };
}
