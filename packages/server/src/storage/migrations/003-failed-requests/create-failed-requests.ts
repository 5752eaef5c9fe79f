import type { DialectKind } from '../../dialect.js';
import { createIndexes, type MigrationDatabase, VACUUM_OFTEN } from '../owned-table.js';

/**
 * Creates the table of failed requests that have no execution. `application_id` is null for a request that failed
 * before the service knew its application.
 */
export async function createFailedRequests(database: MigrationDatabase, kind: DialectKind): Promise<void> {
  const table = database.schema
    .createTable('failed_requests')
    .addColumn('request_id', 'text', (column) => column.primaryKey())
    .addColumn('application_id', 'text', (column) => column.references('applications.id').onDelete('cascade'))
    .addColumn('execution_id', 'text')
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('operation', 'text', (column) => column.notNull())
    .addColumn('status', 'integer', (column) => column.notNull())
    .addColumn('error_code', 'text', (column) => column.notNull())
    .addColumn('cause', 'text')
    .addColumn('at', 'bigint', (column) => column.notNull());
  await (kind === 'postgres' ? table.modifyEnd(VACUUM_OFTEN) : table).execute();
  await createIndexes(database, 'failed_requests', {
    failed_requests_oldest: ['at'],
    failed_requests_of_application: ['application_id', 'request_id'],
  });
}
