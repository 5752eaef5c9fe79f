import { sql } from 'kysely';
import type { DialectKind } from '../open-dialect.js';
import type { Migrating } from './owned.js';

// Of no owner: an event outlives the application that it is about.
export async function createAuditEvents(database: Migrating, kind: DialectKind): Promise<void> {
  await database.schema
    .createTable('audit_events')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('application_id', 'text')
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('object', 'text', (column) => column.notNull())
    .addColumn('result', 'text', (column) => column.notNull())
    .addColumn('reason', 'text')
    .addColumn('request_id', 'text')
    .addColumn('address', 'text')
    .execute();
  await database.schema.createIndex('audit_events_newest').on('audit_events').columns(['at', 'id']).execute();
  for (const statement of KEEP_AUDIT_EVENTS[kind]) await sql.raw(statement).execute(database);
}

export const AUDIT_REFUSAL = 'audit events are kept as they were written';

/** Rows of the audit log are added, and neither changed nor deleted. */
const KEEP_AUDIT_EVENTS: Readonly<Record<DialectKind, readonly string[]>> = {
  sqlite: ['update', 'delete'].map(
    (change) =>
      `create trigger audit_events_no_${change} before ${change} on audit_events begin select raise(abort, '${AUDIT_REFUSAL}'); end`,
  ),
  postgres: [
    `create function refuse_audit_change() returns trigger language plpgsql as $$ begin raise exception '${AUDIT_REFUSAL}'; end $$`,
    'create trigger audit_events_no_change before update or delete or truncate on audit_events for each statement execute function refuse_audit_change()',
  ],
};
