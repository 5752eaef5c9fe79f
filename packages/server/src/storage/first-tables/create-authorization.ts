import { type Migrating, owned } from './owned.js';

export async function createAuthorization(database: Migrating): Promise<void> {
  const ofAccount = (name: string) =>
    owned(database, name)
      .addColumn('account_id', 'text', (column) => column.notNull())
      .addForeignKeyConstraint(
        `${name}_account`,
        ['application_id', 'account_id'],
        'accounts',
        ['application_id', 'id'],
        (constraint) => constraint.onDelete('cascade'),
      )
      .addColumn('replace_subject', 'integer', (column) => column.notNull())
      .addColumn('success_url', 'text')
      .addColumn('expires_at', 'bigint', (column) => column.notNull());
  await ofAccount('authorization_links')
    .addColumn('token_digest', 'text', (column) => column.notNull().unique())
    .addColumn('failure_url', 'text')
    .addColumn('used_at', 'bigint')
    .addColumn('refused_at', 'bigint')
    .execute();
  await ofAccount('authorization_flows')
    .addColumn('connection_id', 'text', (column) => column.notNull())
    .addColumn('state_digest', 'text', (column) => column.notNull().unique())
    .addColumn('browser_digest', 'text', (column) => column.notNull())
    .addColumn('code_verifier', 'text', (column) => column.notNull())
    .addColumn('client_id', 'text', (column) => column.notNull())
    .addColumn('issuer', 'text')
    .addColumn('token_endpoint', 'text', (column) => column.notNull())
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('failure_url', 'text')
    .addColumn('consumed_at', 'bigint')
    .addColumn('refused_at', 'bigint')
    .execute();
  await ofAccount('pending_approvals')
    .addColumn('connection_id', 'text', (column) => column.notNull())
    .addColumn('request_digest', 'text', (column) => column.notNull().unique())
    .addColumn('tokens', 'text', (column) => column.notNull())
    .addColumn('token_endpoint', 'text', (column) => column.notNull())
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('subject', 'text')
    .addColumn('issuer', 'text')
    .addColumn('issued_at', 'bigint', (column) => column.notNull())
    .execute();
  await database.schema
    .createIndex('pending_approvals_expiry')
    .on('pending_approvals')
    .column('expires_at')
    .execute();
  await database.schema
    .createIndex('pending_approvals_account')
    .on('pending_approvals')
    .columns(['application_id', 'account_id'])
    .execute();
}
