import { type Dialect, type RawBuilder, SqliteAdapter, sql } from 'kysely';
import type { Lock } from './lock.js';
import type { Database } from './schema.js';

export type DialectKind = 'sqlite' | 'postgres';

/** Current use of the connections in one connection pool. */
export interface PoolUse {
  /** Purpose of the connection pool, such as `queries`. */
  readonly pool: string;
  readonly used: number;
  readonly idle: number;
  /** Number of statements or locks that wait for a connection. */
  readonly waiting: number;
}

/**
 * Open database, with the functions that differ between SQLite and PostgreSQL. Almost all SQL statements are the same
 * for both.
 */
export interface OpenDialect {
  readonly kind: DialectKind;
  readonly dialect: Dialect;
  /** Kysely dialect without statement timeouts, for migrations. Absent if `dialect` has no timeouts. */
  readonly migrating?: Dialect;
  readonly lock: Lock;
  /**
   * Second named lock, for work that runs while it holds `lock`. It uses another connection pool than `lock`.
   * Otherwise, nested locks could deadlock while they wait for a connection.
   */
  readonly innerLock: Lock;
  /** Returns the current use of each connection pool. SQLite has one pool with one connection. */
  readonly pools: () => readonly PoolUse[];
  /**
   * Reads the time of the database's clock in milliseconds since 1970. Absent for SQLite, which uses this machine's
   * clock.
   */
  readonly readNow?: () => Promise<number>;
  /** Copies a snapshot of the database into a new file. Meanwhile other statements can read and write. */
  readonly copyDatabase: (file: string) => Promise<void>;
  /** Closes the database file or connections. Call it after the last query. */
  readonly close: () => Promise<void>;
}

/** Returns the kind of the database, SQLite or PostgreSQL, for the few SQL statements that differ. */
export const dialectOf = (database: Database): DialectKind =>
  database.getExecutor().adapter instanceof SqliteAdapter ? 'sqlite' : 'postgres';

/**
 * Creates a function that makes SQL sort and compare a column by its bytes. PostgreSQL's default collation depends on
 * its locale and does not sort texts with a common prefix together. The collation "C" does.
 */
export function byteOrderOf(database: Database) {
  return function inByteOrder(column: string): RawBuilder<string> {
    return dialectOf(database) === 'sqlite' ? sql.ref(column) : sql`${sql.ref(column)} collate "C"`;
  };
}
