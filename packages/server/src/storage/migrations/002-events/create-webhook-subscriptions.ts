import {
  belongingTo,
  createIndexes,
  createOwnedTable,
  createOwnedTableWithId,
  type MigrationDatabase,
} from '../owned-table.js';

async function createReceipts(database: MigrationDatabase): Promise<void> {
  const table = 'webhook_receipts';
  await createOwnedTable(database, table)
    .addColumn('subscription_id', 'text', (column) => column.notNull())
    .addColumn('digest', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint(`${table}_key`, ['application_id', 'subscription_id', 'digest'])
    .$call(belongingTo('webhook_subscriptions', 'subscription_id', `${table}_of_subscription`))
    .execute();
  await createIndexes(database, table, { [`${table}_oldest`]: ['at'] });
}

/**
 * Creates the tables of subscriptions to webhooks from upstreams, and of the receipts of payloads that arrived for
 * them.
 */
export async function createWebhookSubscriptions(database: MigrationDatabase): Promise<void> {
  const table = 'webhook_subscriptions';
  await createOwnedTableWithId(database, table)
    .addColumn('account_id', 'text', (column) => column.notNull())
    .$call(belongingTo('accounts', 'account_id', `${table}_of_account`))
    .addColumn('connection_id', 'text', (column) => column.notNull())
    .addColumn('trigger', 'text', (column) => column.notNull())
    .addColumn('key_digest', 'text', (column) => column.notNull().unique())
    .addColumn('upstream_id', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('received_at', 'bigint')
    .addUniqueConstraint(`${table}_owner`, ['application_id', 'id'])
    .execute();
  await createIndexes(database, table, {
    [`${table}_account`]: ['application_id', 'account_id', 'created_at', 'id'],
  });
  await createReceipts(database);
}
