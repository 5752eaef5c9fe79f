import { CamelCasePlugin, type Dialect, Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { ServiceError } from '../errors.js';
import { readPostgresUrl } from '../text/postgres-url.js';
import { addIndexes, indexesOf, relationsIn } from './add-indexes.js';
import type { OpenDialect } from './dialect.js';
import type { Lock } from './lock.js';
import { createMigrations } from './migrations.js';
import type { PostgresSource } from './postgres.js';
import type { Database, Schema } from './schema.js';
import { openSqlite, type SqliteSource } from './sqlite.js';

export type DatabaseSource = (SqliteSource | PostgresSource) & {
  /** True for a database that must have tables already. */
  readonly existing?: boolean;
};

export interface OpenDatabase {
  readonly database: Database;
  readonly lock: Lock;
  /** Lock for work that already has a name of `lock`. */
  readonly innerLock: Lock;
  /** Clock that all processes of the database share. */
  readonly now: () => number;
  /** Copies the database into a new file. Throws on PostgreSQL, which has its own tools for that. */
  readonly copyDatabase: (file: string) => Promise<void>;
  /** Names of the migrations that ran now. */
  readonly migrated: readonly string[];
  /** Closes the file or the connections, and releases the locks. */
  readonly close: () => Promise<void>;
}

async function currentSchema(database: Database): Promise<string> {
  const { rows } = await sql<{ name: string }>`select current_schema() as name`.execute(database);
  return rows[0]?.name ?? '';
}

// Instances that start at the same time wait for each other here, because the migrator locks the database.
async function migrate(database: Database, { kind }: OpenDialect, isNew: boolean): Promise<string[]> {
  const migrations = createMigrations(kind);
  const migrator = new Migrator({
    db: database,
    provider: { getMigrations: async () => migrations },
    // Without its schema, the migrator takes tables of its own in any schema for those of the service.
    ...(kind === 'postgres' && { migrationTableSchema: await currentSchema(database) }),
  });
  const migrated: string[] = [];
  for (;;) {
    // Nobody waits for new tables. In a used database each migration has its own transaction, so that its locks end early.
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

/** Throws when the tables belong to another program or a later version of the service. Nothing is changed then. */
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
      `${nameOf(source)} was migrated by a later version of the service, or belongs to another program (${later.join(', ')}). Start that version, or restore an earlier backup.`,
    );
}

// Skips the migrator when nothing is to do: its queries of the catalogue would be most of the time of a start.
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
  /** Reads the clock of the database. */
  readonly read: () => Promise<number>;
  /** Clock of this machine. */
  readonly local: () => number;
}

// A slow response says too little about the time at which it was given. A clock that was set meanwhile says nothing.
const MAX_READ_MS = 500;

/** Follows the clock of the database. All instances agree on it, however wrong their own clocks are. */
export function createDatabaseClock({ read, local }: DatabaseClockOptions) {
  let offset: number | undefined;
  return {
    now: (): number => Math.round(local() + (offset ?? 0)),
    follow: async (): Promise<void> => {
      const askedAt = local();
      const time = await read();
      const tookMs = local() - askedAt;
      const isSound = tookMs >= 0 && tookMs <= MAX_READ_MS;
      if (offset === undefined || isSound) offset = time - askedAt - tookMs / 2;
    },
  };
}

// Clocks of machines drift apart by milliseconds in this time. A clock that is set is noticed after it.
const FOLLOW_MS = 5 * 60_000;

async function followClock({ readNow }: OpenDialect) {
  if (readNow === undefined) return { now: () => Date.now(), stop: () => undefined };
  const { now, follow } = createDatabaseClock({ read: readNow, local: () => Date.now() });
  await follow();
  const timer = setInterval(() => follow().catch(() => undefined), FOLLOW_MS).unref();
  return { now, stop: () => clearInterval(timer) };
}

function nameOf(source: DatabaseSource): string {
  if (!('url' in source)) return source.path;
  const { host, database } = readPostgresUrl(source.url) ?? { host: 'of', database: 'DATABASE_URL' };
  return `The database ${host}/${database}`;
}

function explain(error: unknown, source: DatabaseSource): unknown {
  if (!('url' in source)) return error;
  if (error instanceof ServiceError && error.cause === undefined) return error;
  const cause = error instanceof ServiceError ? error.cause : error;
  const reason = cause instanceof Error ? cause.message || cause.name : String(cause);
  return new ServiceError(
    'invalid_request',
    `${nameOf(source)} cannot be used (${reason}); start it, or set DATABASE_URL to one that the service may use.`,
    undefined,
    { cause: error },
  );
}

// Loaded here, so that a service on SQLite never loads it.
const openPostgres = async (source: PostgresSource): Promise<OpenDialect> =>
  (await import('./postgres.js')).openPostgres(source);

/** Opens the database and brings its tables up to date. Throws an error whose message says what to do. */
export async function openDatabase(source: DatabaseSource): Promise<OpenDatabase> {
  const open = 'url' in source ? await openPostgres(source) : await openSqlite(source);
  const database = toDatabase(open.dialect);
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
    const { lock, innerLock, copyDatabase } = open;
    return { database, lock, innerLock, copyDatabase, now, migrated, close };
  } catch (error) {
    await closeDatabase();
    throw explain(error, source);
  }
}
