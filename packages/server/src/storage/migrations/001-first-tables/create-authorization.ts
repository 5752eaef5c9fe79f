import {
  belongingTo,
  createIndexes,
  createOwnedTableWithId,
  type MigrationDatabase,
} from '../owned-table.js';

/**
 * Creates the tables for users' consents: authorization links, OAuth flows, and tokens whose user the application has
 * not verified yet.
 */
export async function createAuthorization(database: MigrationDatabase): Promise<void> {
  const createAccountTable = (name: string) =>
    createOwnedTableWithId(database, name)
      .addColumn('account_id', 'text', (column) => column.notNull())
      .$call(belongingTo('accounts', 'account_id', `${name}_account`))
      .addColumn('replace_subject', 'integer', (column) => column.notNull())
      .addColumn('success_url', 'text')
      .addColumn('application_state', 'text')
      .addColumn('expires_at', 'bigint', (column) => column.notNull());
  await createAccountTable('authorization_links')
    .addColumn('token_digest', 'text', (column) => column.notNull().unique())
    .addColumn('failure_url', 'text')
    .addColumn('requested_scopes', 'text')
    .addColumn('ui_locales', 'text')
    .addColumn('opener_origin', 'text')
    .addColumn('used_at', 'bigint')
    .addColumn('browser_digest', 'text')
    .addColumn('outcome', 'text')
    .addColumn('ended_at', 'bigint')
    .addColumn('refused_at', 'bigint')
    .execute();
  await createAccountTable('authorization_flows')
    .addColumn('link_id', 'text', (column) => column.notNull())
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
  await createAccountTable('pending_approvals')
    .addColumn('link_id', 'text', (column) => column.notNull())
    .addColumn('connection_id', 'text', (column) => column.notNull())
    .addColumn('request_digest', 'text', (column) => column.notNull().unique())
    .addColumn('tokens', 'text', (column) => column.notNull())
    .addColumn('token_endpoint', 'text', (column) => column.notNull())
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('subject', 'text')
    .addColumn('issuer', 'text')
    .addColumn('connected_as', 'text')
    .addColumn('issued_at', 'bigint', (column) => column.notNull())
    .execute();
  await createIndexes(database, 'pending_approvals', {
    pending_approvals_expiry: ['expires_at'],
    pending_approvals_account: ['application_id', 'account_id'],
  });
}
