import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { DialectKind } from './open-dialect.js';

type Migrating = Kysely<unknown>;

/** A table with the columns that every one of our tables with an owner has. */
function owned(database: Migrating, name: string) {
  return database.schema
    .createTable(name)
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('application_id', 'text', (column) =>
      column.notNull().references('applications.id').onDelete('cascade'),
    );
}

async function createApplications(database: Migrating): Promise<void> {
  await database.schema
    .createTable('settings')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute();
  await database.schema
    .createTable('applications')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('production', 'integer', (column) => column.notNull())
    .addColumn('verify_url', 'text')
    .addColumn('redirect_urls', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await owned(database, 'client_secrets')
    .addColumn('digest', 'text', (column) => column.notNull().unique())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('revoked_at', 'bigint')
    .addUniqueConstraint('client_secrets_owner', ['application_id', 'id'])
    .execute();
  await database.schema
    .createTable('access_tokens')
    .addColumn('digest', 'text', (column) => column.primaryKey())
    .addColumn('application_id', 'text', (column) => column.notNull())
    .addColumn('client_secret_id', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addForeignKeyConstraint(
      'access_tokens_client_secret',
      ['application_id', 'client_secret_id'],
      'client_secrets',
      ['application_id', 'id'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute();
  await database.schema
    .createIndex('access_tokens_expiry')
    .on('access_tokens')
    .column('expires_at')
    .execute();
  await owned(database, 'data_keys')
    .addColumn('generation', 'integer', (column) => column.notNull())
    .addColumn('wrapped_key', 'text', (column) => column.notNull())
    .addColumn('encryptions', 'bigint', (column) => column.notNull())
    .addColumn('unused_since', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('data_keys_generation', ['application_id', 'generation'])
    .execute();
}

async function createConnections(database: Migrating): Promise<void> {
  await owned(database, 'connections')
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('connector', 'text', (column) => column.notNull())
    .addColumn('client_id', 'text')
    .addColumn('client_secret', 'text')
    .addColumn('client_issuer', 'text')
    .addColumn('scopes', 'text')
    .addColumn('base_url', 'text')
    .addColumn('region', 'text')
    .addColumn('hosts', 'text')
    .addColumn('authorization_endpoint', 'text')
    .addColumn('token_endpoint', 'text')
    .addColumn('revocation_endpoint', 'text')
    .addColumn('status_reason', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('connections_name', ['application_id', 'name'])
    .addUniqueConstraint('connections_owner', ['application_id', 'id'])
    .execute();
  await owned(database, 'accounts')
    .addColumn('connection_id', 'text', (column) => column.notNull())
    .addColumn('identifier', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('status_reason', 'text')
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('wanted_scopes', 'text')
    .addColumn('subject', 'text')
    .addColumn('issuer', 'text')
    .addColumn('access_token', 'text')
    .addColumn('refresh_token', 'text')
    .addColumn('credentials', 'text', (column) => column.notNull())
    .addColumn('issued_at', 'bigint')
    .addColumn('expires_at', 'bigint')
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('refresh_started_at', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('accounts_identifier', ['application_id', 'connection_id', 'identifier'])
    .addUniqueConstraint('accounts_owner', ['application_id', 'id'])
    .addForeignKeyConstraint(
      'accounts_connection',
      ['application_id', 'connection_id'],
      'connections',
      ['application_id', 'id'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute();
}

async function createClientRegistrations(database: Migrating): Promise<void> {
  await owned(database, 'client_registrations')
    .addColumn('connection_id', 'text', (column) => column.notNull())
    .addColumn('issuer', 'text', (column) => column.notNull())
    .addColumn('redirect_uri', 'text', (column) => column.notNull())
    .addColumn('client_id', 'text', (column) => column.notNull())
    .addColumn('answer', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('client_registrations_use', [
      'application_id',
      'connection_id',
      'issuer',
      'redirect_uri',
    ])
    .addForeignKeyConstraint(
      'client_registrations_connection',
      ['application_id', 'connection_id'],
      'connections',
      ['application_id', 'id'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute();
}

async function createAuthorization(database: Migrating): Promise<void> {
  const ofAccount = (name: string) =>
    owned(database, name)
      .addColumn('account_id', 'text', (column) => column.notNull())
      .addForeignKeyConstraint(
        `${name}_account`,
        ['application_id', 'account_id'],
        'accounts',
        ['application_id', 'id'],
        (constraint) => constraint.onDelete('cascade'),
      )
      .addColumn('replace_subject', 'integer', (column) => column.notNull())
      .addColumn('success_url', 'text')
      .addColumn('expires_at', 'bigint', (column) => column.notNull());
  await ofAccount('authorization_links')
    .addColumn('token_digest', 'text', (column) => column.notNull().unique())
    .addColumn('failure_url', 'text')
    .addColumn('used_at', 'bigint')
    .addColumn('refused_at', 'bigint')
    .execute();
  await ofAccount('authorization_flows')
    .addColumn('connection_id', 'text', (column) => column.notNull())
    .addColumn('state_digest', 'text', (column) => column.notNull().unique())
    .addColumn('browser_digest', 'text', (column) => column.notNull())
    .addColumn('code_verifier', 'text', (column) => column.notNull())
    .addColumn('client_id', 'text', (column) => column.notNull())
    .addColumn('issuer', 'text')
    .addColumn('token_endpoint', 'text', (column) => column.notNull())
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('failure_url', 'text')
    .addColumn('consumed_at', 'bigint')
    .addColumn('refused_at', 'bigint')
    .execute();
  await ofAccount('pending_approvals')
    .addColumn('connection_id', 'text', (column) => column.notNull())
    .addColumn('request_digest', 'text', (column) => column.notNull().unique())
    .addColumn('tokens', 'text', (column) => column.notNull())
    .addColumn('token_endpoint', 'text', (column) => column.notNull())
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('subject', 'text')
    .addColumn('issuer', 'text')
    .addColumn('issued_at', 'bigint', (column) => column.notNull())
    .execute();
  await database.schema
    .createIndex('pending_approvals_expiry')
    .on('pending_approvals')
    .column('expires_at')
    .execute();
  await database.schema
    .createIndex('pending_approvals_account')
    .on('pending_approvals')
    .columns(['application_id', 'account_id'])
    .execute();
}

async function createExecutions(database: Migrating): Promise<void> {
  await owned(database, 'executions')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('connection_name', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('tool_name', 'text')
    .addColumn('method', 'text')
    .addColumn('status', 'integer', (column) => column.notNull())
    .addColumn('error_code', 'text')
    .addColumn('upstream_status', 'integer')
    .addColumn('duration_ms', 'integer', (column) => column.notNull())
    .addColumn('started_at', 'bigint', (column) => column.notNull())
    .addColumn('request_id', 'text', (column) => column.notNull())
    .execute();
  await database.schema
    .createIndex('executions_newest')
    .on('executions')
    .columns(['application_id', sql`started_at desc`, sql`id desc`])
    .execute();
}

async function createIdempotencyKeys(database: Migrating): Promise<void> {
  await database.schema
    .createTable('idempotency_keys')
    .addColumn('application_id', 'text', (column) =>
      column.notNull().references('applications.id').onDelete('cascade'),
    )
    .addColumn('key_digest', 'text', (column) => column.notNull())
    .addColumn('run_id', 'text', (column) => column.notNull())
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('answer', 'text')
    .addColumn('lease_until', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('idempotency_keys_owner', ['application_id', 'key_digest'])
    .execute();
  await database.schema
    .createIndex('idempotency_keys_expiry')
    .on('idempotency_keys')
    .column('expires_at')
    .execute();
}

// Of no owner: an event outlives the application that it is about.
async function createAuditEvents(database: Migrating, kind: DialectKind): Promise<void> {
  await database.schema
    .createTable('audit_events')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('application_id', 'text')
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('object', 'text', (column) => column.notNull())
    .addColumn('result', 'text', (column) => column.notNull())
    .addColumn('reason', 'text')
    .addColumn('request_id', 'text')
    .addColumn('address', 'text')
    .execute();
  await database.schema.createIndex('audit_events_newest').on('audit_events').columns(['at', 'id']).execute();
  for (const statement of KEEP_AUDIT_EVENTS[kind]) await sql.raw(statement).execute(database);
}

const AUDIT_REFUSAL = 'audit events are kept as they were written';

/** Rows of the audit log are added, and neither changed nor deleted. */
const KEEP_AUDIT_EVENTS: Readonly<Record<DialectKind, readonly string[]>> = {
  sqlite: ['update', 'delete'].map(
    (change) =>
      `create trigger audit_events_no_${change} before ${change} on audit_events begin select raise(abort, '${AUDIT_REFUSAL}'); end`,
  ),
  postgres: [
    `create function refuse_audit_change() returns trigger language plpgsql as $$ begin raise exception '${AUDIT_REFUSAL}'; end $$`,
    'create trigger audit_events_no_change before update or delete or truncate on audit_events for each statement execute function refuse_audit_change()',
  ],
};

async function createOperators(database: Migrating): Promise<void> {
  await database.schema
    .createTable('operators')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull().unique())
    .addColumn('password_hash', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await database.schema
    .createTable('operator_sessions')
    .addColumn('digest', 'text', (column) => column.primaryKey())
    .addColumn('operator_id', 'text', (column) =>
      column.notNull().references('operators.id').onDelete('cascade'),
    )
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('used_at', 'bigint', (column) => column.notNull())
    .execute();
}

/** What instances hold (see postgres.ts). Always empty for everybody but the holder. */
async function createHeldNames(database: Migrating): Promise<void> {
  await database.schema
    .createTable('held_names')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .execute();
}

/** In the order of their names. A released one is never edited. */
export const createMigrations = (kind: DialectKind): Readonly<Record<string, Migration>> => ({
  '001_first_tables': {
    up: async (database) => {
      await createApplications(database);
      await createConnections(database);
      await createClientRegistrations(database);
      await createAuthorization(database);
      await createExecutions(database);
      await createIdempotencyKeys(database);
      await createAuditEvents(database, kind);
      await createOperators(database);
      if (kind === 'postgres') await createHeldNames(database);
    },
  },
});
