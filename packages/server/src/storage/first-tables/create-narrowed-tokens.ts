import { type Migrating, owned } from './owned.js';

async function createCalls(database: Migrating): Promise<void> {
  await database.schema
    .createTable('narrowed_token_calls')
    .addColumn('application_id', 'text', (column) => column.notNull())
    .addColumn('token_id', 'text', (column) => column.notNull())
    .addColumn('seal_digest', 'text', (column) => column.notNull())
    .addColumn('used', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('narrowed_token_calls_link', ['application_id', 'token_id', 'seal_digest'])
    .addForeignKeyConstraint(
      'narrowed_token_calls_token',
      ['application_id', 'token_id'],
      'narrowed_tokens',
      ['application_id', 'id'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute();
  await database.schema
    .createIndex('narrowed_token_calls_expiry')
    .on('narrowed_token_calls')
    .column('expires_at')
    .execute();
}

async function createOrigins(database: Migrating): Promise<void> {
  await database.schema
    .createTable('application_origins')
    .addColumn('application_id', 'text', (column) =>
      column.notNull().references('applications.id').onDelete('cascade'),
    )
    .addColumn('origin', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('application_origins_owner', ['application_id', 'origin'])
    .execute();
  await database.schema
    .createIndex('application_origins_origin')
    .on('application_origins')
    .column('origin')
    .execute();
}

/** Tokens for browsers and agents, the calls that are counted of them, and where browsers may call from. */
export async function createNarrowedTokens(database: Migrating): Promise<void> {
  await owned(database, 'narrowed_tokens')
    .addColumn('client_secret_id', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('limits', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('revoked_at', 'bigint')
    .addUniqueConstraint('narrowed_tokens_owner', ['application_id', 'id'])
    .addForeignKeyConstraint(
      'narrowed_tokens_client_secret',
      ['application_id', 'client_secret_id'],
      'client_secrets',
      ['application_id', 'id'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute();
  const indexes = {
    narrowed_tokens_expiry: ['expires_at'],
    narrowed_tokens_newest: ['application_id', 'kind', 'created_at', 'id'],
    narrowed_tokens_of_secret: ['application_id', 'client_secret_id'],
  };
  for (const [name, columns] of Object.entries(indexes))
    await database.schema.createIndex(name).on('narrowed_tokens').columns(columns).execute();
  await createCalls(database);
  await createOrigins(database);
}
