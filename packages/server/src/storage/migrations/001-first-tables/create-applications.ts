import {
  belongingTo,
  createIndexes,
  createOwnedTableWithId,
  type MigrationDatabase,
} from '../owned-table.js';

export async function createApplications(database: MigrationDatabase): Promise<void> {
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
    .addColumn('logo', 'text')
    .addColumn('color', 'text')
    .addColumn('allow_token_import', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await createOwnedTableWithId(database, 'client_secrets')
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
    .$call(belongingTo('client_secrets', 'client_secret_id', 'access_tokens_client_secret'))
    .execute();
  await createIndexes(database, 'access_tokens', { access_tokens_expiry: ['expires_at'] });
  await createOwnedTableWithId(database, 'data_keys')
    .addColumn('generation', 'integer', (column) => column.notNull())
    .addColumn('wrapped_key', 'text', (column) => column.notNull())
    .addColumn('encryptions', 'bigint', (column) => column.notNull())
    .addColumn('unused_since', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('data_keys_generation', ['application_id', 'generation'])
    .execute();
}
