import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { SqliteDialect } from 'kysely';
import { ServiceError } from '../errors.js';
import { createLock } from './lock.js';
import type { OpenDialect } from './open-dialect.js';
import { translating } from './sqlite-error.js';

export interface SqliteSource {
  /** A file, or `:memory:`. */
  readonly path: string;
  /** How long to wait for a process of the service that is just ending. */
  readonly lockTimeoutMs?: number;
  /** A command beside the running service: it takes no part in refreshes, so the file may have another owner. */
  readonly shared?: boolean;
}

const MEMORY = ':memory:';
const HEADER = 'SQLite format 3\0';
const BUSY_TIMEOUT_MS = 5000;

const unusable = (path: string, reason: string, cause?: unknown) =>
  new ServiceError(
    'invalid_request',
    `${path} cannot be used (${reason}); make it writable, restore it from a backup, or set SVC_DATA to another folder.`,
    undefined,
    { cause },
  );

// Before the lock, so that a file of somebody else's gets none beside it.
function checkFile(path: string): void {
  if (path === MEMORY || !existsSync(path)) return;
  if (!statSync(path).isFile()) throw unusable(path, 'unable to open database file');
  const start = Buffer.alloc(HEADER.length);
  const file = openSync(path, 'r');
  const length = readSync(file, start);
  closeSync(file);
  if (length > 0 && start.toString('latin1') !== HEADER) throw unusable(path, 'file is not a database');
}

function open(path: string, prepare: (file: Sqlite.Database) => void): Sqlite.Database {
  try {
    const file = new Sqlite(path);
    prepare(file);
    return file;
  } catch (error) {
    if (!(error instanceof Sqlite.SqliteError)) throw error;
    throw unusable(path, error.message, error);
  }
}

// Refreshes are guarded by a lock in this process, so a second process on the same file could use a refresh token twice.
// The lock is SQLite's own on a file beside it: the operating system releases it however the process ends.
function holdFile({ path, lockTimeoutMs = BUSY_TIMEOUT_MS, shared = false }: SqliteSource): () => void {
  if (path === MEMORY || shared) return () => {};
  const lock = open(`${path}.lock`, (file) => file.pragma(`busy_timeout = ${lockTimeoutMs}`));
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

/** The database of one process: a file in write-ahead mode, whose commits are on the disk when they return. */
export function openSqlite(source: SqliteSource): OpenDialect {
  checkFile(source.path);
  const release = holdFile(source);
  const file = open(source.path, (opened) => {
    opened.pragma('journal_mode = WAL');
    opened.pragma('synchronous = FULL');
    opened.pragma('foreign_keys = ON');
    opened.pragma('secure_delete = ON');
    opened.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  });
  return {
    kind: 'sqlite',
    dialect: new SqliteDialect({ database: translating(file) }),
    lock: createLock(),
    innerLock: createLock(),
    close: async () => {
      file.close();
      release();
    },
  };
}
