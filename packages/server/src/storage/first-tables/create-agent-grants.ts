import { type Migrating, owned } from './owned.js';

async function createAccesses(database: Migrating): Promise<void> {
  await owned(database, 'agent_accesses')
    .addColumn('sign_in_url', 'text')
    .addColumn('issuer', 'text')
    .addColumn('client_id', 'text')
    .addColumn('client_secret', 'text')
    .addColumn('claim', 'text')
    .addColumn('scopes', 'text')
    .addColumn('registration', 'integer', (column) => column.notNull())
    .addColumn('limits', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('agent_accesses_owner', ['application_id', 'id'])
    .execute();
}

async function createClients(database: Migrating): Promise<void> {
  await owned(database, 'agent_clients')
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('redirect_uris', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await database.schema
    .createIndex('agent_clients_oldest')
    .on('agent_clients')
    .columns(['application_id', 'created_at', 'id'])
    .execute();
}

async function createSignIns(database: Migrating): Promise<void> {
  const table = 'agent_sign_ins';
  await owned(database, table)
    .addColumn('client_id', 'text', (column) => column.notNull())
    .addColumn('client_name', 'text', (column) => column.notNull())
    .addColumn('redirect_uri', 'text', (column) => column.notNull())
    .addColumn('state', 'text')
    .addColumn('code_challenge', 'text', (column) => column.notNull())
    .addColumn('resource', 'text', (column) => column.notNull())
    .addColumn('limits', 'text', (column) => column.notNull())
    .addColumn('ticket_digest', 'text', (column) => column.notNull().unique())
    .addColumn('issuer', 'text')
    .addColumn('browser_digest', 'text', (column) => column.notNull())
    .addColumn('identifier', 'text')
    .addColumn('return_digest', 'text', (column) => column.unique())
    .addColumn('code_digest', 'text', (column) => column.unique())
    .addColumn('grant_id', 'text')
    .addColumn('ended_at', 'bigint')
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await database.schema.createIndex(`${table}_expiry`).on(table).column('expires_at').execute();
  await database.schema.createIndex(`${table}_owner`).on(table).columns(['application_id', 'id']).execute();
}

async function createGrants(database: Migrating): Promise<void> {
  const table = 'agent_grants';
  await owned(database, table)
    .addColumn('identifier', 'text', (column) => column.notNull())
    .addColumn('client_id', 'text', (column) => column.notNull())
    .addColumn('client_name', 'text', (column) => column.notNull())
    .addColumn('resource', 'text', (column) => column.notNull())
    .addColumn('limits', 'text', (column) => column.notNull())
    .addColumn('generation', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('used_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('revoked_at', 'bigint')
    .addUniqueConstraint(`${table}_owner`, ['application_id', 'id'])
    .execute();
  const indexes = {
    [`${table}_expiry`]: ['expires_at'],
    [`${table}_newest`]: ['application_id', 'created_at', 'id'],
  };
  for (const [name, columns] of Object.entries(indexes))
    await database.schema.createIndex(name).on(table).columns(columns).execute();
}

async function createCalls(database: Migrating): Promise<void> {
  const table = 'agent_grant_calls';
  await database.schema
    .createTable(table)
    .addColumn('application_id', 'text', (column) => column.notNull())
    .addColumn('token_id', 'text', (column) => column.notNull())
    .addColumn('seal_digest', 'text', (column) => column.notNull())
    .addColumn('used', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint(`${table}_link`, ['application_id', 'token_id', 'seal_digest'])
    .addForeignKeyConstraint(
      `${table}_grant`,
      ['application_id', 'token_id'],
      'agent_grants',
      ['application_id', 'id'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute();
  await database.schema.createIndex(`${table}_expiry`).on(table).column('expires_at').execute();
}

/** How users of applications sign in to give MCP clients access, and what they gave. */
export async function createAgentGrants(database: Migrating): Promise<void> {
  await createAccesses(database);
  await createClients(database);
  await createSignIns(database);
  await createGrants(database);
  await createCalls(database);
}
