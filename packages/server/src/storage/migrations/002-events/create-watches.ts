import {
  belongingTo,
  createIndexes,
  createOwnedTable,
  createOwnedTableWithId,
  type MigrationDatabase,
} from '../owned-table.js';

async function createWatchTable(database: MigrationDatabase): Promise<void> {
  const table = 'watches';
  await createOwnedTableWithId(database, table)
    .addColumn('account_id', 'text', (column) => column.notNull())
    .$call(belongingTo('accounts', 'account_id', `${table}_of_account`))
    .addColumn('tool_name', 'text', (column) => column.notNull())
    .addColumn('watch_key', 'text', (column) => column.notNull())
    .addColumn('every', 'integer', (column) => column.notNull())
    .addColumn('enabled', 'integer', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('reason', 'text')
    .addColumn('input', 'text', (column) => column.notNull())
    .addColumn('cursor', 'text')
    .addColumn('walk', 'integer', (column) => column.notNull())
    .addColumn('failures', 'integer', (column) => column.notNull())
    .addColumn('next_at', 'bigint')
    .addColumn('claim', 'text')
    .addColumn('started_at', 'bigint')
    .addColumn('polled_at', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint(`${table}_owner`, ['application_id', 'id'])
    .addUniqueConstraint(`${table}_same`, ['application_id', 'watch_key'])
    .execute();
  await createIndexes(database, table, {
    [`${table}_newest`]: ['application_id', 'created_at', 'id'],
    [`${table}_account`]: ['application_id', 'account_id', 'created_at', 'id'],
    [`${table}_states`]: ['enabled', 'state', 'application_id', 'id'],
  });
  await database.schema
    .createIndex(`${table}_due`)
    .on(table)
    .columns(['application_id', 'next_at'])
    .where('next_at' as never, 'is not', null)
    .execute();
  await database.schema
    .createIndex(`${table}_claimed`)
    .on(table)
    .column('claim')
    .where('claim' as never, 'is not', null)
    .execute();
}

async function createItemTable(database: MigrationDatabase): Promise<void> {
  const table = 'watch_items';
  await createOwnedTable(database, table)
    .addColumn('watch_id', 'text', (column) => column.notNull())
    .$call(belongingTo('watches', 'watch_id', `${table}_of_watch`))
    .addColumn('item_key', 'text', (column) => column.notNull())
    .addColumn('item_id', 'text', (column) => column.notNull())
    .addColumn('version', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('walk', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint(`${table}_key`, ['application_id', 'watch_id', 'item_key'])
    .execute();
  await createIndexes(database, table, {
    [`${table}_walked`]: ['application_id', 'watch_id', 'walk'],
    [`${table}_oldest`]: ['application_id', 'watch_id', 'at'],
  });
}

/**
 * Creates the tables of watches (lists that the service polls for changes), and of the list items that watches have
 * read.
 */
export async function createWatches(database: MigrationDatabase): Promise<void> {
  await createWatchTable(database);
  await createItemTable(database);
}
