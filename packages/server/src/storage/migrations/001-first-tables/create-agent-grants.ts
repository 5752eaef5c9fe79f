import { createIndexes, createOwnedTableWithId, type MigrationDatabase } from '../owned-table.js';
import { createCallCounts } from './create-narrowed-tokens.js';

async function createAccesses(database: MigrationDatabase): Promise<void> {
  await createOwnedTableWithId(database, 'agent_accesses')
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

async function createClients(database: MigrationDatabase): Promise<void> {
  await createOwnedTableWithId(database, 'agent_clients')
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('redirect_uris', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await createIndexes(database, 'agent_clients', {
    agent_clients_oldest: ['application_id', 'created_at', 'id'],
  });
}

async function createSignIns(database: MigrationDatabase): Promise<void> {
  const table = 'agent_sign_ins';
  await createOwnedTableWithId(database, table)
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
  await createIndexes(database, table, {
    [`${table}_expiry`]: ['expires_at'],
    [`${table}_owner`]: ['application_id', 'id'],
  });
}

async function createGrants(database: MigrationDatabase): Promise<void> {
  const table = 'agent_grants';
  await createOwnedTableWithId(database, table)
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
  await createIndexes(database, table, {
    [`${table}_expiry`]: ['expires_at'],
    [`${table}_newest`]: ['application_id', 'created_at', 'id'],
    [`${table}_of_user`]: ['application_id', 'identifier', 'created_at', 'id'],
  });
}

/**
 * Creates the tables for MCP clients of an application's users: sign-in settings, clients, sign-ins in progress and
 * granted access.
 */
export async function createAgentGrants(database: MigrationDatabase): Promise<void> {
  await createAccesses(database);
  await createClients(database);
  await createSignIns(database);
  await createGrants(database);
  await createCallCounts(database, 'agent_grant_calls', {
    table: 'agent_grants',
    constraint: 'agent_grant_calls_grant',
  });
}
