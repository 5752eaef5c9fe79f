import {
  belongingTo,
  createIndexes,
  createOwnedTable,
  createOwnedTableWithId,
  type MigrationDatabase,
} from '../owned-table.js';

/**
 * Creates the table `<owner>_calls`, which counts calls with API tokens that limit the number of calls. It contains a
 * row for each call limit of a token.
 */
export async function createCallCounts(
  database: MigrationDatabase,
  table: string,
  owner: { readonly table: string; readonly constraint: string },
): Promise<void> {
  await database.schema
    .createTable(table)
    .addColumn('application_id', 'text', (column) => column.notNull())
    .addColumn('token_id', 'text', (column) => column.notNull())
    .addColumn('seal_digest', 'text', (column) => column.notNull())
    .addColumn('used', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint(`${table}_link`, ['application_id', 'token_id', 'seal_digest'])
    .$call(belongingTo(owner.table, 'token_id', owner.constraint))
    .execute();
  await createIndexes(database, table, { [`${table}_expiry`]: ['expires_at'] });
}

async function createOrigins(database: MigrationDatabase): Promise<void> {
  await createOwnedTable(database, 'application_origins')
    .addColumn('origin', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('application_origins_owner', ['application_id', 'origin'])
    .execute();
  await createIndexes(database, 'application_origins', { application_origins_origin: ['origin'] });
}

/**
 * Creates the tables of narrowed tokens (API tokens with limits, for browsers and agents), their call counts and their
 * allowed browser origins.
 */
export async function createNarrowedTokens(database: MigrationDatabase): Promise<void> {
  await createOwnedTableWithId(database, 'narrowed_tokens')
    .addColumn('client_secret_id', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('identifier', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('limits', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('revoked_at', 'bigint')
    .addUniqueConstraint('narrowed_tokens_owner', ['application_id', 'id'])
    .$call(belongingTo('client_secrets', 'client_secret_id', 'narrowed_tokens_client_secret'))
    .execute();
  await createIndexes(database, 'narrowed_tokens', {
    narrowed_tokens_expiry: ['expires_at'],
    narrowed_tokens_newest: ['application_id', 'kind', 'created_at', 'id'],
    narrowed_tokens_of_user: ['application_id', 'kind', 'identifier', 'created_at', 'id'],
    narrowed_tokens_of_secret: ['application_id', 'client_secret_id'],
  });
  await createCallCounts(database, 'narrowed_token_calls', {
    table: 'narrowed_tokens',
    constraint: 'narrowed_token_calls_token',
  });
  await createOrigins(database);
}
