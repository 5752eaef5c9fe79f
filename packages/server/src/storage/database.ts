import Sqlite from 'better-sqlite3';
import { CamelCasePlugin, Kysely, SqliteDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import { ServiceError } from '../errors.js';
import { migrations } from './migrations.js';
import type { Schema } from './schema.js';

export type Database = Kysely<Schema>;

export interface OpenDatabase {
  readonly database: Database;
  /** Closes the file and gives up its lock. */
  readonly close: () => Promise<void>;
}

export interface OpenDatabaseOptions {
  /** A file, or `:memory:`. */
  readonly path: string;
  /** How long to wait for a process that is just ending. */
  readonly lockTimeoutMs?: number;
}

const MEMORY = ':memory:';
const BUSY_TIMEOUT_MS = 5000;

// Refreshes are guarded by a lock in this process, so a second process on the same file could use a refresh token twice.
// The lock is SQLite's own on a file beside it: the operating system releases it however the process ends.
function holdFile(path: string, timeout: number): () => void {
  if (path === MEMORY) return () => {};
  const lock = open(`${path}.lock`, (file) => file.pragma(`busy_timeout = ${timeout}`));
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    throw new ServiceError(
      'invalid_request',
      `Another process of the service uses ${path}; stop it, or give this one another SVC_DATA.`,
      undefined,
      { cause: error },
    );
  }
  return () => lock.close();
}

function open(path: string, prepare: (file: Sqlite.Database) => void): Sqlite.Database {
  try {
    const file = new Sqlite(path);
    prepare(file);
    return file;
  } catch (error) {
    if (!(error instanceof Sqlite.SqliteError)) throw error;
    throw new ServiceError(
      'invalid_request',
      `${path} cannot be used (${error.message}); make it writable, restore it from a backup, or set SVC_DATA to another folder.`,
      undefined,
      { cause: error },
    );
  }
}

const openFile = (path: string): Sqlite.Database =>
  open(path, (file) => {
    file.pragma('journal_mode = WAL');
    file.pragma('synchronous = FULL');
    file.pragma('foreign_keys = ON');
    file.pragma('secure_delete = ON');
    file.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  });

async function migrate(database: Database): Promise<void> {
  const migrator = new Migrator({ db: database, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}

/** Opens the database, brings its tables up to date, and keeps other processes of the service out. */
export async function openDatabase({
  path,
  lockTimeoutMs = BUSY_TIMEOUT_MS,
}: OpenDatabaseOptions): Promise<OpenDatabase> {
  const release = holdFile(path, lockTimeoutMs);
  const file = openFile(path);
  const database = new Kysely<Schema>({
    dialect: new SqliteDialect({ database: file }),
    plugins: [new CamelCasePlugin()],
  });
  const close = async () => {
    await database.destroy();
    file.close();
    release();
  };
  try {
    await migrate(database);
  } catch (error) {
    await close();
    throw error;
  }
  return { database, close };
}
