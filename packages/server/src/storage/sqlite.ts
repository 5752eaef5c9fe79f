import { accessSync, closeSync, constants, existsSync, openSync, readSync, statSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { type Dialect, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { ServiceError } from '../errors.js';
import { copyDatabase } from './copy-database.js';
import type { OpenDialect, PoolUse } from './dialect.js';
import { createLock } from './lock.js';
import { createSqliteDriver, type Queue } from './sqlite-driver.js';
import { FOREIGN_TABLES } from './sqlite-file.js';
import { openHere, openInThread, type SqliteRunner } from './sqlite-thread.js';

export interface SqliteSource {
  /** Path of the database file, or `:memory:`. */
  readonly path: string;
  /**
   * Maximum time in milliseconds to wait at the start until an earlier process of the service, which is still ending,
   * releases the file.
   */
  readonly lockTimeoutMs?: number;
  /** Maximum time in milliseconds that a write waits while another process locks the SQLite file. */
  readonly waitMs?: number;
  /**
   * True for a command that runs while the service runs. It refreshes no tokens, so it needs no exclusive lock of the
   * file.
   */
  readonly shared?: boolean;
  /**
   * If false, statements run in the caller's thread, which starts faster. Use this only in a process that does no other
   * work.
   */
  readonly inThread?: boolean;
}

const MEMORY = ':memory:';
const HEADER = 'SQLite format 3\0';
const LOCK_TIMEOUT_MS = 5000;

const IS_FOLDER = 'it is a folder';
const NOT_A_DATABASE = 'SQLITE_NOTADB';
/** Codes of SQLite for a file with wrong content, such as `SQLITE_CORRUPT_INDEX`. */
const DAMAGED = /^SQLITE_(?:NOTADB|CORRUPT)/;

function remedyFor(reason: string, code = ''): string {
  if (reason === FOREIGN_TABLES) return 'Set';
  if (reason === IS_FOLDER) return 'Move the folder, or set';
  return DAMAGED.test(code) ? 'Restore it from a backup, or set' : 'Make it writable for this user, or set';
}

function unusable(path: string, reason: string, { cause, code }: { cause?: unknown; code?: string } = {}) {
  const message = `The database file ${path} cannot be used (${reason}). ${remedyFor(reason, code)} SVC_DATA to another folder.`;
  return new ServiceError('invalid_request', message, undefined, { cause });
}

function readStart(path: string, start: Buffer): number {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    const file = openSync(path, 'r');
    const length = readSync(file, start);
    closeSync(file);
    return length;
  } catch (error) {
    throw unusable(path, 'this user may not read and write it', { cause: error });
  }
}

// Checks the database file before the lock file is created, so that no lock file is created next to another program's
// database.
function checkFile(path: string): void {
  if (path === MEMORY || !existsSync(path)) return;
  const stats = statSync(path);
  if (stats.isDirectory()) throw unusable(path, IS_FOLDER);
  if (!stats.isFile()) throw unusable(path, 'unable to open database file');
  const start = Buffer.alloc(HEADER.length);
  const length = readStart(path, start);
  if (length > 0 && start.toString('latin1') !== HEADER)
    throw unusable(path, 'file is not a database', { code: NOT_A_DATABASE });
}

const explainOpening = (path: string, error: unknown): unknown =>
  error instanceof Sqlite.SqliteError
    ? unusable(path, error.message, { cause: error, code: error.code })
    : error;

function openLock(path: string, timeout: number): Sqlite.Database {
  try {
    return new Sqlite(path, { timeout });
  } catch (error) {
    throw explainOpening(path, error);
  }
}

// Locks the database for this process. Token refreshes are locked only within one process, so two processes on the same
// file could use a refresh token twice. The lock is a SQLite lock on a separate file, which the operating system
// releases when the process ends.
function lockFile({ path, lockTimeoutMs = LOCK_TIMEOUT_MS, shared = false }: SqliteSource): () => void {
  if (path === MEMORY || shared) return () => {};
  const lock = openLock(`${path}.lock`, lockTimeoutMs);
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    throw new ServiceError(
      'invalid_request',
      `Another process of the service uses ${path}. Stop it, set SVC_DATA to another folder, or set DATABASE_URL to a PostgreSQL database, which several processes can share.`,
      undefined,
      { cause: error },
    );
  }
  return () => lock.close();
}

const openRunner = async ({ path, inThread = true }: SqliteSource): Promise<SqliteRunner> =>
  inThread && path !== MEMORY ? openInThread(path) : openHere(path);

export function createDialect(runner: SqliteRunner, { waitMs }: SqliteSource, queue?: Queue): Dialect {
  return {
    createAdapter: () =>
      Object.defineProperties(new SqliteAdapter(), {
        // Stops Kysely from serializing all statements, because this driver serializes them itself.
        supportsMultipleConnections: { value: true },
        // Makes Kysely run migrations in a transaction, because SQLite can roll back schema changes. An interrupted
        // migration leaves no changes, and a new file is written only once.
        supportsTransactionalDdl: { value: true },
      }),
    createDriver: () =>
      createSqliteDriver(runner, { ...(waitMs !== undefined && { waitMs }), ...(queue && { queue }) }),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

function useOf({ size }: Queue): PoolUse {
  const used = Math.min(1, size);
  return { pool: 'queries', used, idle: 1 - used, waiting: size - used };
}

/** Opens a SQLite database for a single process. */
export async function openSqlite(source: SqliteSource): Promise<OpenDialect> {
  checkFile(source.path);
  const release = lockFile(source);
  try {
    const runner = await openRunner(source);
    const queue: Queue = { size: 0 };
    return {
      kind: 'sqlite',
      dialect: createDialect(runner, source, queue),
      lock: createLock(),
      innerLock: createLock(),
      pools: () => [useOf(queue)],
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
