import type { MigrationDatabase } from './owned-table.js';

/** Adds the column for the connection to whose events a webhook endpoint is limited. */
export async function addEndpointConnection(database: MigrationDatabase): Promise<void> {
  await database.schema.alterTable('webhook_endpoints').addColumn('connection_name', 'text').execute();
}
