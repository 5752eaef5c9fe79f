import { accessSync, closeSync, constants, existsSync, openSync, readSync, statSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { type Dialect, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { ServiceError } from '../errors.js';
import { copyDatabase } from './copy-database.js';
import type { OpenDialect } from './dialect.js';
import { createLock } from './lock.js';
import { createSqliteDriver } from './sqlite-driver.js';
import { openHere, openInThread, type SqliteRunner } from './sqlite-thread.js';

export interface SqliteSource {
  /** Path of a file, or `:memory:`. */
  readonly path: string;
  /** Time to wait for another process of the service that is ending. */
  readonly lockTimeoutMs?: number;
  /** Time for which a write waits for another process that has locked the file. */
  readonly waitMs?: number;
  /** True for a command beside the running service. It refreshes no tokens, so that another process may own the file. */
  readonly shared?: boolean;
  /** False to run statements in the caller's thread. A process without other work starts faster so. */
  readonly inThread?: boolean;
}

const MEMORY = ':memory:';
const HEADER = 'SQLite format 3\0';
const LOCK_TIMEOUT_MS = 5000;

const unusable = (path: string, reason: string, cause?: unknown) =>
  new ServiceError(
    'invalid_request',
    `${path} cannot be used (${reason}); make it writable, restore it from a backup, or set SVC_DATA to another folder.`,
    undefined,
    { cause },
  );

function readStart(path: string, start: Buffer): number {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    const file = openSync(path, 'r');
    const length = readSync(file, start);
    closeSync(file);
    return length;
  } catch (error) {
    throw unusable(path, 'this user may not read and write it', error);
  }
}

// Runs before the lock, so that a file of another program gets no lock file beside it.
function checkFile(path: string): void {
  if (path === MEMORY || !existsSync(path)) return;
  if (!statSync(path).isFile()) throw unusable(path, 'unable to open database file');
  const start = Buffer.alloc(HEADER.length);
  const length = readStart(path, start);
  if (length > 0 && start.toString('latin1') !== HEADER) throw unusable(path, 'file is not a database');
}

const explainOpening = (path: string, error: unknown): unknown =>
  error instanceof Sqlite.SqliteError ? unusable(path, error.message, error) : error;

function openLock(path: string, timeout: number): Sqlite.Database {
  try {
    return new Sqlite(path, { timeout });
  } catch (error) {
    throw explainOpening(path, error);
  }
}

// The lock of refreshes is in this process, so that a second process on the same file could use a refresh token twice.
// This lock is SQLite's own, on a file beside the database: the operating system releases it however the process ends.
function lockFile({ path, lockTimeoutMs = LOCK_TIMEOUT_MS, shared = false }: SqliteSource): () => void {
  if (path === MEMORY || shared) return () => {};
  const lock = openLock(`${path}.lock`, lockTimeoutMs);
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    throw new ServiceError(
      'invalid_request',
      `Another process of the service uses ${path}; stop it, set SVC_DATA to another folder, or set DATABASE_URL to a PostgreSQL, which several may use.`,
      undefined,
      { cause: error },
    );
  }
  return () => lock.close();
}

const openRunner = async ({ path, inThread = true }: SqliteSource): Promise<SqliteRunner> =>
  inThread && path !== MEMORY ? openInThread(path) : openHere(path);

export function createDialect(runner: SqliteRunner, { waitMs }: SqliteSource): Dialect {
  return {
    createAdapter: () =>
      Object.defineProperties(new SqliteAdapter(), {
        // The driver serializes statements itself.
        supportsMultipleConnections: { value: true },
        // SQLite rolls DDL back: a migration that is killed leaves nothing, and a new file is written once.
        supportsTransactionalDdl: { value: true },
      }),
    createDriver: () => createSqliteDriver(runner, waitMs === undefined ? {} : { waitMs }),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** Opens the database of one process. */
export async function openSqlite(source: SqliteSource): Promise<OpenDialect> {
  checkFile(source.path);
  const release = lockFile(source);
  try {
    const runner = await openRunner(source);
    return {
      kind: 'sqlite',
      dialect: createDialect(runner, source),
      lock: createLock(),
      innerLock: createLock(),
      copyDatabase: (file) => copyDatabase(runner, file),
      close: async () => {
        await runner.close();
        release();
      },
    };
  } catch (error) {
    release();
    throw explainOpening(source.path, error);
  }
}
