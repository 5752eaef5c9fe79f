import { CamelCasePlugin, type Dialect, Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { ServiceError } from '../errors.js';
import { addIndexes, indexesOf, relationsIn } from './add-indexes.js';
import { createDatabaseClock } from './database-clock.js';
import type { OpenDialect } from './dialect.js';
import type { Lock } from './lock.js';
import { createMigrations } from './migrations.js';
import type { PostgresSource } from './postgres.js';
import type { Schema } from './schema.js';
import { openSqlite, type SqliteSource } from './sqlite.js';

export type Database = Kysely<Schema>;
export type DatabaseSource = (SqliteSource | PostgresSource) & {
  /** Makes no tables where there are none. */
  readonly existing?: boolean;
};

export interface OpenDatabase {
  readonly database: Database;
  readonly lock: Lock;
  /** For work under a name of `lock` that needs a second one. */
  readonly innerLock: Lock;
  /** One clock for every process that shares the database. */
  readonly now: () => number;
  /** Copies everything into a new file. Throws where that is for others to do. */
  readonly copyDatabase: (file: string) => Promise<void>;
  /** The migrations that ran now, by name. */
  readonly migrated: readonly string[];
  /** Closes the file or the connections, and gives up what it held. */
  readonly close: () => Promise<void>;
}

// Instances that start at the same time wait for each other here: the migrator holds a lock of the database.
async function migrate(database: Database, { kind }: OpenDialect, isNew: boolean): Promise<string[]> {
  const migrations = createMigrations(kind);
  const migrator = new Migrator({ db: database, provider: { getMigrations: async () => migrations } });
  const migrated: string[] = [];
  for (;;) {
    // New tables nobody waits for; else each is a transaction of its own, so that its locks do not last until the last is done.
    const { error, results = [] } = await (isNew ? migrator.migrateToLatest() : migrator.migrateUp());
    if (error) throw error;
    migrated.push(...results.map(({ migrationName }) => migrationName));
    if (isNew || results.length === 0) return migrated;
  }
}

const toDatabase = (dialect: Dialect): Database =>
  new Kysely<Schema>({ dialect, plugins: [new CamelCasePlugin()] });

const MIGRATIONS = 'kysely_migration';

async function readDone(database: Database): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(MIGRATIONS)}`.execute(database);
  return rows.map(({ name }) => name);
}

/** Throws where the tables are not the service's own, or are those of a later version: nothing is changed there. */
function checkOwn(done: readonly string[], { kind }: OpenDialect, source: DatabaseSource): void {
  if (done.length === 0 && source.existing)
    throw new ServiceError(
      'invalid_request',
      `${placeOf(source)} holds no tables of the service; set SVC_DATA or DATABASE_URL to its own, or run \`svc-server migrate\` first.`,
    );
  const known = createMigrations(kind);
  const later = done.filter((name) => known[name] === undefined);
  if (later.length > 0)
    throw new ServiceError(
      'invalid_request',
      `${placeOf(source)} was changed by a later version of the service, or is another program's (${later.join(', ')}); start that version, or restore a backup of before.`,
    );
}

// The migrator asks the catalogues of the database for far more, which would be most of what a start waits for.
async function bringUpToDate(
  database: Database,
  open: OpenDialect,
  source: DatabaseSource,
): Promise<string[]> {
  const { kind } = open;
  const present = await relationsIn(database, kind);
  const done = present.has(MIGRATIONS) ? await readDone(database) : [];
  checkOwn(done, open, source);
  const isDone = done.length === Object.keys(createMigrations(kind)).length;
  if (isDone && indexesOf(kind).every(({ name }) => present.has(name))) return [];
  const migrating = open.migrating === undefined ? database : toDatabase(open.migrating);
  try {
    const migrated = await migrate(migrating, open, done.length === 0);
    await addIndexes(migrating, open.kind);
    return migrated;
  } finally {
    if (migrating !== database) await migrating.destroy();
  }
}

// Clocks of machines drift apart by milliseconds in that time; one that is set is noticed after it.
const FOLLOW_MS = 5 * 60_000;

async function followClock({ readNow }: OpenDialect) {
  if (readNow === undefined) return { now: () => Date.now(), stop: () => undefined };
  const { now, follow } = createDatabaseClock({ read: readNow, local: () => Date.now() });
  await follow();
  const timer = setInterval(() => follow().catch(() => undefined), FOLLOW_MS).unref();
  return { now, stop: () => clearInterval(timer) };
}

function placeOf(source: DatabaseSource): string {
  if (!('url' in source)) return source.path;
  const { host, pathname } = new URL(source.url);
  return `The database ${host}${pathname}`;
}

function explain(error: unknown, source: DatabaseSource): unknown {
  if (!('url' in source)) return error;
  if (error instanceof ServiceError && error.cause === undefined) return error;
  const cause = error instanceof ServiceError ? error.cause : error;
  const reason = cause instanceof Error ? cause.message || cause.name : String(cause);
  return new ServiceError(
    'invalid_request',
    `${placeOf(source)} cannot be used (${reason}); start it, or set DATABASE_URL to one that the service may use.`,
    undefined,
    { cause: error },
  );
}

// Who stays with SQLite does not load it.
const openPostgres = async (source: PostgresSource): Promise<OpenDialect> =>
  (await import('./postgres.js')).openPostgres(source);

/** Opens the database and brings its tables up to date. Throws one sentence that says what to do. */
export async function openDatabase(source: DatabaseSource): Promise<OpenDatabase> {
  const open = 'url' in source ? await openPostgres(source) : await openSqlite(source);
  const database = toDatabase(open.dialect);
  const end = async () => {
    await database.destroy();
    await open.close();
  };
  try {
    const migrated = await bringUpToDate(database, open, source);
    const { now, stop } = await followClock(open);
    const close = async () => {
      stop();
      await end();
    };
    const { lock, innerLock, copyDatabase } = open;
    return { database, lock, innerLock, copyDatabase, now, migrated, close };
  } catch (error) {
    await end();
    throw explain(error, source);
  }
}
