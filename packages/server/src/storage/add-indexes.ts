import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { DialectKind } from './dialect.js';
import type { Schema } from './schema.js';

interface Index {
  readonly name: string;
  readonly table: string;
  readonly columns: readonly string[];
  /** Columns that the index sorts by bytes (collation "C"), whatever the database's collation is. */
  readonly byBytes?: readonly string[];
  /** SQL condition of a partial index, which contains only the rows that meet it. */
  readonly only?: string;
  /** Kind of database that needs the index. Absent if both SQLite and PostgreSQL need it. */
  readonly on?: DialectKind;
}

/**
 * Indexes that every start of the service creates if they are missing or invalid. They are not part of migrations,
 * because a migration runs in a transaction. A transaction that creates an index blocks writes to a large table until
 * it ends (rule F10 in security-rules.md).
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
  {
    name: 'audit_events_of_request',
    table: 'audit_events',
    columns: ['request_id'],
    only: 'request_id is not null',
  },
  { name: 'audit_events_of_object', table: 'audit_events', columns: ['object', 'at', 'id'] },
  { name: 'executions_of_request', table: 'executions', columns: ['request_id'] },
  { name: 'executions_of_account', table: 'executions', columns: ['account_id', 'started_at', 'id'] },
  {
    name: 'executions_of_named_user',
    table: 'executions',
    columns: ['identifier', 'started_at', 'id'],
    only: 'identifier is not null',
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
    name: 'accounts_refresh_failing',
    table: 'accounts',
    columns: ['application_id', 'connection_id', 'refresh_failed_at'],
    only: 'refresh_failed_at is not null',
  },
  {
    name: 'failed_requests_of_object',
    table: 'failed_requests',
    columns: ['object'],
    only: 'object is not null',
  },
  {
    name: 'failed_requests_of_other_object',
    table: 'failed_requests',
    columns: ['other_object'],
    only: 'other_object is not null',
  },
  {
    name: 'accounts_untested',
    table: 'accounts',
    columns: ['application_id', 'connection_id'],
    only: 'untested_since is not null',
  },
  {
    name: 'connections_not_working',
    table: 'connections',
    columns: ['application_id', 'id'],
    only: 'test_failure is not null or status_reason is not null',
  },
  {
    name: 'accounts_by_identifier',
    table: 'accounts',
    columns: ['application_id', 'identifier', 'id'],
    byBytes: ['identifier'],
  },
  {
    name: 'accounts_by_identifier_key',
    table: 'accounts',
    columns: ['identifier_key', 'application_id', 'identifier'],
    byBytes: ['identifier_key'],
  },
  {
    name: 'named_users_by_key',
    table: 'named_users',
    columns: ['identifier_key', 'application_id', 'identifier'],
    byBytes: ['identifier_key'],
  },
  {
    name: 'account_terms_by_identifier',
    table: 'account_terms',
    columns: ['application_id', 'term', 'identifier', 'account_id'],
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
    columns: ['application_id', 'connection_id', 'identifier', 'id'],
    byBytes: ['identifier'],
  },
  {
    name: 'accounts_of_connection_by_status',
    table: 'accounts',
    columns: ['application_id', 'connection_id', 'status', 'identifier', 'id'],
    byBytes: ['identifier'],
  },
  {
    name: 'events_waiting',
    table: 'events',
    columns: ['application_id', 'seq'],
    only: 'position is null',
  },
  // The order matters: SQLite prefers the newer one of two equally suitable indexes, so the following indexes come
  // after `accounts_by_identifier`.
  {
    name: 'accounts_untested_by_identifier',
    table: 'accounts',
    columns: ['application_id', 'identifier', 'id'],
    byBytes: ['identifier'],
    only: 'untested_since is not null',
  },
  {
    name: 'accounts_refresh_failing_by_identifier',
    table: 'accounts',
    columns: ['application_id', 'identifier', 'id'],
    byBytes: ['identifier'],
    only: 'refresh_failed_at is not null',
  },
];

/** Lists the indexes that a kind of database needs. */
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

/** Reads the names of all existing tables and valid indexes. */
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

// Polls for the PostgreSQL advisory lock that lets only one instance create indexes. A statement that waited for the
// lock would block the `create index concurrently` of the instance that holds it.
async function acquireLock(database: Kysely<Schema>): Promise<void> {
  for (;;) {
    const { rows } = await sql<{
      isLocked: boolean;
    }>`select pg_try_advisory_lock(${LOCK_ID}) as is_locked`.execute(database);
    if (rows[0]?.isLocked) return;
    await wait(POLL_MS);
  }
}

/**
 * Creates missing indexes on PostgreSQL and replaces invalid ones. Meanwhile all instances can read and write. Only one
 * instance at a time does so.
 */
async function addConcurrently(database: Kysely<Schema>): Promise<void> {
  await acquireLock(database);
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
