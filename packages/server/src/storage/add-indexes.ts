import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { DialectKind } from './dialect.js';
import type { Schema } from './schema.js';

interface Index {
  readonly name: string;
  readonly table: string;
  readonly columns: readonly string[];
  /** The columns whose texts are in the order of their bytes, whatever the order of the database. */
  readonly byBytes?: readonly string[];
  /** The rows that stand in it; all of them when absent. */
  readonly only?: string;
  /** Where another one does not serve as well. */
  readonly on?: DialectKind;
}

/**
 * Indexes of tables that are there already, and may be large and in use: rule F10. They are no migrations, because a migration
 * is a transaction, and an index that is made in one keeps everybody from writing until it is done.
 */
const INDEXES: readonly Index[] = [
  { name: 'applications_oldest', table: 'applications', columns: ['created_at', 'id'] },
  { name: 'operator_sessions_operator', table: 'operator_sessions', columns: ['operator_id'] },
  { name: 'idempotency_keys_run', table: 'idempotency_keys', columns: ['application_id', 'run_id'] },
  { name: 'client_registrations_owner', table: 'client_registrations', columns: ['application_id', 'id'] },
  { name: 'authorization_flows_owner', table: 'authorization_flows', columns: ['application_id', 'id'] },
  { name: 'authorization_links_owner', table: 'authorization_links', columns: ['application_id', 'id'] },
  { name: 'pending_approvals_owner', table: 'pending_approvals', columns: ['application_id', 'id'] },
  { name: 'idempotency_keys_of_accounts', table: 'idempotency_keys', columns: ['account_id'] },
  { name: 'idempotency_keys_of_connections', table: 'idempotency_keys', columns: ['connection_id'] },
  {
    name: 'access_tokens_client_secret',
    table: 'access_tokens',
    columns: ['application_id', 'client_secret_id'],
  },
  {
    name: 'authorization_links_account',
    table: 'authorization_links',
    columns: ['application_id', 'account_id'],
  },
  { name: 'authorization_links_expiry', table: 'authorization_links', columns: ['expires_at'] },
  {
    name: 'authorization_flows_account',
    table: 'authorization_flows',
    columns: ['application_id', 'account_id'],
  },
  { name: 'authorization_flows_expiry', table: 'authorization_flows', columns: ['expires_at'] },
  { name: 'accounts_subject', table: 'accounts', columns: ['application_id', 'connection_id', 'subject'] },
  {
    name: 'audit_events_of_application',
    table: 'audit_events',
    columns: ['application_id', 'at', 'id'],
  },
  { name: 'operator_sessions_used', table: 'operator_sessions', columns: ['used_at'] },
  { name: 'client_registrations_expiry', table: 'client_registrations', columns: ['expires_at'] },
  { name: 'client_secrets_revoked', table: 'client_secrets', columns: ['revoked_at'] },
  {
    name: 'accounts_issuer',
    table: 'accounts',
    columns: ['application_id', 'connection_id', 'issuer'],
    only: 'issuer is not null',
  },
  {
    name: 'accounts_by_identifier',
    table: 'accounts',
    columns: ['application_id', 'identifier', 'id'],
    byBytes: ['identifier'],
  },
  {
    name: 'accounts_by_status',
    table: 'accounts',
    columns: ['application_id', 'status', 'identifier', 'id'],
    byBytes: ['identifier'],
  },
  {
    name: 'accounts_of_connection',
    table: 'accounts',
    columns: ['application_id', 'connection_id', 'identifier'],
    byBytes: ['identifier'],
    on: 'postgres',
  },
  {
    name: 'accounts_of_connection_by_status',
    table: 'accounts',
    columns: ['application_id', 'connection_id', 'status', 'identifier'],
    byBytes: ['identifier'],
  },
];

/** Those of a database. */
export const indexesOf = (kind: DialectKind): readonly Index[] =>
  INDEXES.filter(({ on = kind }) => on === kind);

const LOCK_ID = 7_105_321;
const POLL_MS = 100;

const orderOf = ({ byBytes = [] }: Index, column: string, kind: DialectKind): string =>
  kind === 'postgres' && byBytes.includes(column) ? `${column} collate "C"` : column;

function create(index: Index, kind: DialectKind): string {
  const { name, table, columns, only } = index;
  const how = kind === 'postgres' ? 'concurrently' : '';
  const ordered = columns.map((column) => orderOf(index, column, kind)).join(', ');
  return `create index ${how} if not exists ${name} on ${table} (${ordered})${only === undefined ? '' : ` where ${only}`}`;
}

/** The names of the tables, and of the indexes that are whole. */
export async function relationsIn(database: Kysely<Schema>, kind: DialectKind): Promise<ReadonlySet<string>> {
  const names =
    kind === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_master`
      : sql<{ name: string }>`
          select relname as name from pg_class left join pg_index on indexrelid = pg_class.oid
          where coalesce(indisvalid, true) and relnamespace = current_schema()::regnamespace`;
  const { rows } = await names.execute(database);
  return new Set(rows.map(({ name }) => name));
}

async function missing(database: Kysely<Schema>): Promise<readonly Index[]> {
  const present = await relationsIn(database, 'postgres');
  return indexesOf('postgres').filter(({ name }) => !present.has(name));
}

// Whoever waited for the lock inside one statement would be waited for by the index that is made meanwhile.
async function hold(database: Kysely<Schema>): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ held: boolean }>`select pg_try_advisory_lock(${LOCK_ID}) as held`.execute(
      database,
    );
    if (rows[0]?.held) return;
    await wait(POLL_MS);
  }
}

/** One instance makes them, while all of them read and write; what an ended one left half made is made anew. */
async function addConcurrently(database: Kysely<Schema>): Promise<void> {
  await hold(database);
  try {
    for (const index of await missing(database)) {
      await sql.raw(`drop index concurrently if exists ${index.name}`).execute(database);
      await sql.raw(create(index, 'postgres')).execute(database);
    }
  } finally {
    await sql`select pg_advisory_unlock(${LOCK_ID})`.execute(database);
  }
}

export async function addIndexes(database: Kysely<Schema>, kind: DialectKind): Promise<void> {
  if (kind === 'sqlite') {
    await database.transaction().execute(async (transaction) => {
      for (const index of indexesOf('sqlite')) await sql.raw(create(index, 'sqlite')).execute(transaction);
    });
  } else if ((await missing(database)).length > 0) {
    await database.connection().execute(addConcurrently);
  }
}
