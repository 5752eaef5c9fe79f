import { CamelCasePlugin, type Dialect, Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { ServiceError } from '../errors.js';
import { readPostgresUrl } from '../text/postgres-url.js';
import { addIndexes, indexesOf, relationsIn } from './add-indexes.js';
import type { OpenDialect, PoolUse } from './dialect.js';
import type { Lock } from './lock.js';
import { createMigrations } from './migrations.js';
import type { PostgresSource } from './postgres.js';
import type { Database, Schema } from './schema.js';
import { openSqlite, type SqliteSource } from './sqlite.js';

export type DatabaseSource = (SqliteSource | PostgresSource) & {
  /**
   * If true, the database must already contain the service's tables. If false, the service creates its tables in an
   * empty database.
   */
  readonly existing?: boolean;
  /** Called after each SQL statement with its duration in milliseconds, and with its error if it failed. */
  readonly onQuery?: OnQuery | undefined;
};

export type OnQuery = (ms: number, error: unknown) => void;

export interface OpenDatabase {
  readonly database: Database;
  readonly lock: Lock;
  /**
   * Second named lock, for work that runs while it holds `lock`. It uses other database connections than `lock`.
   * Otherwise, nested locks could deadlock while they wait for a connection.
   */
  readonly innerLock: Lock;
  /** Returns the current use of each connection pool. */
  readonly pools: () => readonly PoolUse[];
  /** Returns the current time in milliseconds since 1970, by a clock that all processes that use the database share. */
  readonly now: () => number;
  /** Copies the database into a new file. Throws for PostgreSQL, which has its own backup tools. */
  readonly copyDatabase: (file: string) => Promise<void>;
  /** Names of the database migrations that this start has applied. */
  readonly migrated: readonly string[];
  /** Closes the database file or the connections, and releases all locks. */
  readonly close: () => Promise<void>;
}

async function currentSchema(database: Database): Promise<string> {
  const { rows } = await sql<{ name: string }>`select current_schema() as name`.execute(database);
  return rows[0]?.name ?? '';
}

// Applies the missing migrations. Instances that start at the same time wait for each other here, because the migrator
// locks the database.
async function migrate(database: Database, { kind }: OpenDialect, isNew: boolean): Promise<string[]> {
  const migrations = createMigrations(kind);
  const migrator = new Migrator({
    db: database,
    provider: { getMigrations: async () => migrations },
    // Sets the name of the schema, because otherwise the migrator would mistake migration tables in another schema for
    // its own.
    ...(kind === 'postgres' && { migrationTableSchema: await currentSchema(database) }),
  });
  const migrated: string[] = [];
  for (;;) {
    // Migrates a new database in a single transaction, because nobody waits for it. In a database with data, each
    // migration commits separately, so that its locks end early.
    const { error, results = [] } = await (isNew ? migrator.migrateToLatest() : migrator.migrateUp());
    if (error) throw error;
    migrated.push(...results.map(({ migrationName }) => migrationName));
    if (isNew || results.length === 0) return migrated;
  }
}

const toDatabase = (dialect: Dialect, onQuery?: OnQuery): Database =>
  new Kysely<Schema>({
    dialect,
    plugins: [new CamelCasePlugin()],
    ...(onQuery && {
      log: (event) => onQuery(event.queryDurationMillis, event.level === 'error' ? event.error : undefined),
    }),
  });

const MIGRATIONS = 'kysely_migration';

async function readDone(database: Database): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(MIGRATIONS)}`.execute(database);
  return rows.map(({ name }) => name);
}

/**
 * Throws if the database's tables belong to another program or to a newer version of the service. Never changes the
 * database.
 */
function checkOwn(done: readonly string[], { kind }: OpenDialect, source: DatabaseSource): void {
  if (done.length === 0 && source.existing)
    throw new ServiceError(
      'invalid_request',
      `${nameOf(source)} has no tables of the service. Set SVC_DATA or DATABASE_URL to the service's database, or run \`svc-server migrate\` first.`,
    );
  const known = createMigrations(kind);
  const later = done.filter((name) => known[name] === undefined);
  if (later.length > 0)
    throw new ServiceError(
      'invalid_request',
      `${nameOf(source)} was migrated by a later version of the service, or belongs to another program (unknown migrations: ${later.join(', ')}). Start the later version, use another database, or restore an earlier backup.`,
    );
}

// Applies missing migrations. If there are none, does not run Kysely's migrator, because its queries of the database
// schema would take most of the start time.
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

export interface DatabaseClockOptions {
  readonly read: () => Promise<number>;
  /** Returns the time of this machine's clock in milliseconds since 1970. */
  readonly local: () => number;
}

// Maximum duration in milliseconds of reading the database's clock. A slower reading is too inaccurate and is ignored,
// unless it is the first. So is one with a negative duration, which means that the local clock was set back.
const MAX_READ_MS = 500;

/**
 * Creates a clock that follows the clock of the database, so that all instances agree on the time even if their own
 * clocks are wrong.
 */
export function createDatabaseClock({ read, local }: DatabaseClockOptions) {
  let offset: number | undefined;
  return {
    now: (): number => Math.round(local() + (offset ?? 0)),
    follow: async (): Promise<void> => {
      const requestedAt = local();
      const time = await read();
      const tookMs = local() - requestedAt;
      const isSound = tookMs >= 0 && tookMs <= MAX_READ_MS;
      if (offset === undefined || isSound) offset = time - requestedAt - tookMs / 2;
    },
  };
}

// Interval in milliseconds between two readings of the database's clock. In 5 minutes, a machine's clock drifts only by
// milliseconds. If somebody sets a clock, the service notices it after at most this time.
const FOLLOW_MS = 5 * 60_000;

async function followClock({ readNow }: OpenDialect) {
  if (readNow === undefined) return { now: () => Date.now(), stop: () => undefined };
  const { now, follow } = createDatabaseClock({ read: readNow, local: () => Date.now() });
  await follow();
  const timer = setInterval(() => follow().catch(() => undefined), FOLLOW_MS).unref();
  return { now, stop: () => clearInterval(timer) };
}

function nameOf(source: DatabaseSource): string {
  if (!('url' in source)) return `The database file ${source.path}`;
  const named = readPostgresUrl(source.url);
  return named ? `The database ${named.host}/${named.database}` : 'The database of DATABASE_URL';
}

function explain(error: unknown, source: DatabaseSource): unknown {
  if (!('url' in source)) return error;
  if (error instanceof ServiceError && error.cause === undefined) return error;
  const thrown = error instanceof ServiceError ? error.cause : error;
  // Node.js wraps the errors of a host with several addresses in an error without a message.
  const cause: unknown = thrown instanceof AggregateError ? thrown.errors[0] : thrown;
  const reason = cause instanceof Error ? cause.message || cause.name : String(cause);
  return new ServiceError(
    'invalid_request',
    `${nameOf(source)} cannot be used (${reason}). Start it, or set DATABASE_URL to a database that the service may use.`,
    undefined,
    { cause: error },
  );
}

// Imports the PostgreSQL driver only here, so that a service with SQLite never loads it.
const openPostgres = async (source: PostgresSource): Promise<OpenDialect> =>
  (await import('./postgres.js')).openPostgres(source);

/** Opens the database and applies missing migrations. If that fails, throws an error whose message says what to do. */
export async function openDatabase(source: DatabaseSource): Promise<OpenDatabase> {
  const open = 'url' in source ? await openPostgres(source) : await openSqlite(source);
  const database = toDatabase(open.dialect, source.onQuery);
  const closeDatabase = async () => {
    await database.destroy();
    await open.close();
  };
  try {
    const migrated = await bringUpToDate(database, open, source);
    const { now, stop } = await followClock(open);
    const close = async () => {
      stop();
      await closeDatabase();
    };
    const { lock, innerLock, pools, copyDatabase } = open;
    return { database, lock, innerLock, pools, copyDatabase, now, migrated, close };
  } catch (error) {
    await closeDatabase();
    throw explain(error, source);
  }
}
