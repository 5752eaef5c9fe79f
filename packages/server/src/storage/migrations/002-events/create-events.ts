import { sql } from 'kysely';
import type { DialectKind } from '../../dialect.js';
import {
  belongingTo,
  createIndexes,
  createOwnedTable,
  createOwnedTableWithId,
  type MigrationDatabase,
} from '../owned-table.js';

async function createEndpoints(database: MigrationDatabase): Promise<void> {
  const table = 'webhook_endpoints';
  await createOwnedTableWithId(database, table)
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('description', 'text')
    .addColumn('types', 'text', (column) => column.notNull())
    .addColumn('ordered', 'integer', (column) => column.notNull())
    .addColumn('enabled', 'integer', (column) => column.notNull())
    .addColumn('enabled_since', 'bigint', (column) => column.notNull())
    .addColumn('disabled_reason', 'text')
    .addColumn('secret', 'text', (column) => column.notNull())
    .addColumn('previous_secret', 'text')
    .addColumn('previous_secret_until', 'bigint')
    .addColumn('failing_since', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint(`${table}_owner`, ['application_id', 'id'])
    .execute();
  await createIndexes(database, table, { [`${table}_oldest`]: ['application_id', 'created_at', 'id'] });
  await database.schema
    .createIndex(`${table}_disabled`)
    .on(table)
    .column('disabled_reason')
    .where(sql<boolean>`enabled = 0`)
    .execute();
  await database.schema
    .createIndex(`${table}_troubled`)
    .on(table)
    .columns(['application_id', 'id'])
    .where(sql<boolean>`disabled_reason is not null or failing_since is not null`)
    .execute();
}

const createOwnedTableWithSequence = (database: MigrationDatabase, kind: DialectKind) =>
  createOwnedTable(database, 'events').addColumn(
    'seq',
    kind === 'sqlite' ? 'integer' : 'bigserial',
    (column) => (kind === 'sqlite' ? column.primaryKey().autoIncrement() : column.primaryKey()),
  );

/**
 * Creates the table of events. `seq` numbers the events in the order of insertion, and `position` in the order of
 * commits.
 */
async function createEventTable(database: MigrationDatabase, kind: DialectKind): Promise<void> {
  const table = 'events';
  await createOwnedTableWithSequence(database, kind)
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('position', 'bigint')
    .addColumn('account_id', 'text')
    .addColumn('connection_name', 'text')
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('payload', 'text')
    .addUniqueConstraint(`${table}_owner`, ['application_id', 'id'])
    .execute();
  await createIndexes(database, table, {
    [`${table}_oldest`]: ['at'],
    [`${table}_in_order`]: ['application_id', 'position'],
  });
  await database.schema
    .createIndex(`${table}_unpositioned`)
    .on(table)
    .column('seq')
    .where('position' as never, 'is', null)
    .execute();
  await database.schema
    .createIndex(`${table}_payload`)
    .on(table)
    .columns(['application_id', 'account_id'])
    .where('payload' as never, 'is not', null)
    .execute();
}

async function createDeliveries(database: MigrationDatabase): Promise<void> {
  const table = 'event_deliveries';
  await createOwnedTableWithId(database, table)
    .addColumn('endpoint_id', 'text', (column) => column.notNull())
    .$call(belongingTo('webhook_endpoints', 'endpoint_id', `${table}_of_endpoint`))
    .addColumn('event_id', 'text', (column) => column.notNull())
    .$call(belongingTo('events', 'event_id', `${table}_of_event`))
    .addColumn('position', 'bigint', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('account_id', 'text')
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('next_at', 'bigint')
    .addColumn('claim', 'text')
    .addColumn('log', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('ended_at', 'bigint')
    .execute();
  await createIndexes(database, table, {
    // Adds `type` to two indexes, so that a list filtered by type skips other deliveries without reading their large
    // rows.
    [`${table}_newest`]: ['application_id', 'created_at', 'id', 'type'],
    [`${table}_endpoint`]: ['application_id', 'endpoint_id', 'created_at', 'id', 'type'],
    [`${table}_event`]: ['application_id', 'event_id', 'created_at', 'id'],
    [`${table}_account`]: ['application_id', 'account_id', 'created_at', 'id'],
  });
  await database.schema
    .createIndex(`${table}_failed`)
    .on(table)
    .columns(['application_id', 'created_at', 'id'])
    .where(sql<boolean>`state = 'failed'`)
    .execute();
  const isPending = sql<boolean>`state = 'pending'`;
  await database.schema
    .createIndex(`${table}_due`)
    .on(table)
    .columns(['endpoint_id', 'next_at', 'position'])
    .where(isPending)
    .execute();
  await database.schema
    .createIndex(`${table}_in_order`)
    .on(table)
    .columns(['endpoint_id', 'account_id', 'position'])
    .where(isPending)
    .execute();
}

/**
 * Creates the table of event leases, one row per application and event type. A lease says that a client of the
 * application waits for events of the type.
 */
async function createLeases(database: MigrationDatabase): Promise<void> {
  const table = 'event_leases';
  await createOwnedTable(database, table)
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint(`${table}_key`, ['application_id', 'type'])
    .execute();
  await createIndexes(database, table, { [`${table}_expiry`]: ['expires_at'] });
}

/**
 * Creates the tables of the service's events, of applications' webhook endpoints, and of the deliveries to these
 * endpoints.
 */
export async function createEvents(database: MigrationDatabase, kind: DialectKind): Promise<void> {
  await createEndpoints(database);
  await createEventTable(database, kind);
  await createDeliveries(database);
  await createLeases(database);
}
