import { sql } from 'kysely';
import type { Migrating } from '../first-tables/owned.js';
import type { DialectKind } from '../open-dialect.js';

const TABLE = 'idempotency_keys';
const KEPT = 'application_id, key_digest, run_id, fingerprint, answer, lease_until, expires_at';
/** The tables whose rows take the answers about them along when they are deleted, by the columns that name them. */
const OWNERS = [
  { column: 'account_id', owner: 'accounts' },
  { column: 'connection_id', owner: 'connections' },
] as const;

// SQLite adds a column, but no foreign key of two, to a table that is there.
async function rebuild(database: Migrating): Promise<void> {
  let table = database.schema
    .createTable('linked_keys')
    .addColumn('application_id', 'text', (column) =>
      column.notNull().references('applications.id').onDelete('cascade'),
    )
    .addColumn('key_digest', 'text', (column) => column.notNull())
    .addColumn('run_id', 'text', (column) => column.notNull())
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('answer', 'text')
    .addColumn('lease_until', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('account_id', 'text')
    .addColumn('connection_id', 'text')
    .addPrimaryKeyConstraint('idempotency_keys_owner', ['application_id', 'key_digest']);
  for (const { column, owner } of OWNERS) {
    table = table.addForeignKeyConstraint(
      `${TABLE}_${owner}`,
      ['application_id', column],
      owner,
      ['application_id', 'id'],
      (constraint) => constraint.onDelete('cascade'),
    );
  }
  await table.execute();
  await sql.raw(`insert into linked_keys (${KEPT}) select ${KEPT} from ${TABLE}`).execute(database);
  await database.schema.dropTable(TABLE).execute();
  await database.schema.alterTable('linked_keys').renameTo(TABLE).execute();
  await database.schema.createIndex('idempotency_keys_expiry').on(TABLE).column('expires_at').execute();
}

// Unchecked for the rows that are there: none of them names an owner yet, and a check of all would hold both tables meanwhile.
async function alter(database: Migrating): Promise<void> {
  for (const { column, owner } of OWNERS) {
    await database.schema.alterTable(TABLE).addColumn(column, 'text').execute();
    await sql
      .raw(
        `alter table ${TABLE} add constraint ${TABLE}_${owner} foreign key (application_id, ${column})
        references ${owner} (application_id, id) on delete cascade not valid`,
      )
      .execute(database);
  }
}

/** Kept answers end with the account or the connection that they are about, in the transaction that deletes it. */
export const linkAnswers = (database: Migrating, kind: DialectKind): Promise<void> =>
  kind === 'sqlite' ? rebuild(database) : alter(database);
