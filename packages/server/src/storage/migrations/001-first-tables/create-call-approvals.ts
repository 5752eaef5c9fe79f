import {
  belongingTo,
  createIndexes,
  createOwnedTableWithId,
  type MigrationDatabase,
} from '../owned-table.js';

const TABLE = 'call_approvals';

export async function createCallApprovals(database: MigrationDatabase): Promise<void> {
  await createOwnedTableWithId(database, TABLE)
    .addColumn('account_id', 'text', (column) => column.notNull())
    .$call(belongingTo('accounts', 'account_id', `${TABLE}_of_account`))
    .addColumn('call_key', 'text', (column) => column.notNull())
    .addColumn('tool_name', 'text', (column) => column.notNull())
    .addColumn('schema_version', 'text', (column) => column.notNull())
    .addColumn('tool_version', 'text', (column) => column.notNull())
    .addColumn('caller', 'text', (column) => column.notNull())
    .addColumn('question', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('holds_until', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('decided_by', 'text')
    .addColumn('decided_at', 'bigint')
    .addColumn('reason', 'text')
    .addColumn('execution_id', 'text')
    .addColumn('result', 'text')
    .addUniqueConstraint(`${TABLE}_owner`, ['application_id', 'id'])
    .addUniqueConstraint(`${TABLE}_call`, ['application_id', 'call_key'])
    .execute();
  await createIndexes(database, TABLE, {
    [`${TABLE}_account`]: ['application_id', 'account_id', 'created_at', 'id'],
    [`${TABLE}_execution`]: ['application_id', 'execution_id'],
    [`${TABLE}_newest`]: ['application_id', 'created_at', 'id'],
    [`${TABLE}_of_status`]: ['application_id', 'status', 'created_at', 'id'],
    [`${TABLE}_open`]: ['status', 'holds_until'],
    [`${TABLE}_oldest`]: ['holds_until'],
  });
  await database.schema
    .createIndex(`${TABLE}_result`)
    .on(TABLE)
    .column('holds_until')
    .where('result' as never, 'is not', null)
    .execute();
}
