import {
  belongingTo,
  createOwnedTable,
  createOwnedTableWithId,
  type MigrationDatabase,
} from '../owned-table.js';

async function createClientRegistrations(database: MigrationDatabase): Promise<void> {
  await createOwnedTableWithId(database, 'client_registrations')
    .addColumn('connection_id', 'text', (column) => column.notNull())
    .addColumn('issuer', 'text', (column) => column.notNull())
    .addColumn('redirect_uri', 'text', (column) => column.notNull())
    .addColumn('client_id', 'text', (column) => column.notNull())
    .addColumn('response', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('client_registrations_use', [
      'application_id',
      'connection_id',
      'issuer',
      'redirect_uri',
    ])
    .$call(belongingTo('connections', 'connection_id', 'client_registrations_connection'))
    .execute();
}

async function createConnectionTable(database: MigrationDatabase): Promise<void> {
  await createOwnedTableWithId(database, 'connections')
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
    .addColumn('approve', 'text')
    .addColumn('allow_unannounced_pkce', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('store_upstream_errors', 'integer', (column) => column.notNull().defaultTo(1))
    .addColumn('status_reason', 'text')
    .addColumn('tested_at', 'bigint')
    .addColumn('test_failure', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('connections_name', ['application_id', 'name'])
    .addUniqueConstraint('connections_owner', ['application_id', 'id'])
    .execute();
}

async function createAccountTables(database: MigrationDatabase): Promise<void> {
  await createOwnedTableWithId(database, 'accounts')
    .addColumn('connection_id', 'text', (column) => column.notNull())
    .addColumn('identifier', 'text', (column) => column.notNull())
    .addColumn('identifier_key', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('account', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('status_reason', 'text')
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('wanted_scopes', 'text')
    .addColumn('subject', 'text')
    .addColumn('issuer', 'text')
    .addColumn('connected_as', 'text')
    .addColumn('access_token', 'text')
    .addColumn('refresh_token', 'text')
    .addColumn('credentials', 'text', (column) => column.notNull())
    .addColumn('imported_token', 'text')
    .addColumn('issued_at', 'bigint')
    .addColumn('expires_at', 'bigint')
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('refresh_started_at', 'bigint')
    .addColumn('refresh_failing_since', 'bigint')
    .addColumn('refresh_failed_at', 'bigint')
    .addColumn('refresh_failure', 'text')
    .addColumn('used_at', 'bigint')
    .addColumn('metadata', 'text', (column) => column.notNull().defaultTo('{}'))
    .addColumn('tags', 'text', (column) => column.notNull().defaultTo('[]'))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('accounts_identifier', ['application_id', 'connection_id', 'identifier', 'account'])
    .addUniqueConstraint('accounts_owner', ['application_id', 'id'])
    .$call(belongingTo('connections', 'connection_id', 'accounts_connection'))
    .execute();
  await createOwnedTable(database, 'account_terms')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('identifier', 'text', (column) => column.notNull())
    .addColumn('term', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('account_terms_key', ['application_id', 'account_id', 'term'])
    .$call(belongingTo('accounts', 'account_id', 'account_terms_account'))
    .execute();
}

export async function createConnections(database: MigrationDatabase): Promise<void> {
  await createConnectionTable(database);
  await createAccountTables(database);
  await createClientRegistrations(database);
}
