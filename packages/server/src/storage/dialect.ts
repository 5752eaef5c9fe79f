import { type Dialect, SqliteAdapter } from 'kysely';
import type { Lock } from './lock.js';
import type { Database } from './schema.js';

export type DialectKind = 'sqlite' | 'postgres';

/** The parts that differ between the databases; all other SQL is the same. */
export interface OpenDialect {
  readonly kind: DialectKind;
  readonly dialect: Dialect;
  /** A dialect without time limits, for changes of tables; absent when `dialect` has no limits. */
  readonly migrating?: Dialect;
  readonly lock: Lock;
  /** A lock for work that already holds a name of `lock`. It never waits for work that waits for a first name. */
  readonly innerLock: Lock;
  /** Reads the clock of the database; absent when that is the clock of this machine. */
  readonly readNow?: () => Promise<number>;
  /** Copies a snapshot of the database into a new file, while others read and write. */
  readonly copyDatabase: (file: string) => Promise<void>;
  /** Closes the database after its last query. */
  readonly close: () => Promise<void>;
}

/** Tells the databases apart, for the few statements that differ. */
export const dialectOf = (database: Database): DialectKind =>
  database.getExecutor().adapter instanceof SqliteAdapter ? 'sqlite' : 'postgres';
