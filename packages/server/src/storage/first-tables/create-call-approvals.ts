import { type Migrating, owned } from './owned.js';

const TABLE = 'call_approvals';

const INDEXES: Readonly<Record<string, readonly string[]>> = {
  [`${TABLE}_account`]: ['application_id', 'account_id'],
  [`${TABLE}_execution`]: ['application_id', 'execution_id'],
  [`${TABLE}_newest`]: ['application_id', 'created_at', 'id'],
  [`${TABLE}_of_status`]: ['application_id', 'status', 'created_at', 'id'],
  [`${TABLE}_open`]: ['status', 'holds_until'],
  [`${TABLE}_oldest`]: ['holds_until'],
};

/** Calls of tools that wait for a person, and which calls of a connection do. */
export async function createCallApprovals(database: Migrating): Promise<void> {
  await owned(database, TABLE)
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addForeignKeyConstraint(
      `${TABLE}_of_account`,
      ['application_id', 'account_id'],
      'accounts',
      ['application_id', 'id'],
      (constraint) => constraint.onDelete('cascade'),
    )
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
    .addColumn('answer', 'text')
    .addUniqueConstraint(`${TABLE}_owner`, ['application_id', 'id'])
    .addUniqueConstraint(`${TABLE}_call`, ['application_id', 'call_key'])
    .execute();
  for (const [name, columns] of Object.entries(INDEXES))
    await database.schema
      .createIndex(name)
      .on(TABLE)
      .columns([...columns])
      .execute();
  await database.schema
    .createIndex(`${TABLE}_answered`)
    .on(TABLE)
    .column('holds_until')
    .where('answer' as never, 'is not', null)
    .execute();
  await database.schema.alterTable('connections').addColumn('approve', 'text').execute();
}
