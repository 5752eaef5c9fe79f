import { sql } from 'kysely';
import type { DialectKind } from '../../dialect.js';
import { createIndexes, type MigrationDatabase, VACUUM_OFTEN } from '../owned-table.js';

const REFUSAL = 'audit events cannot be changed, and cannot be deleted before the end of their retention';

/**
 * SQL expression for the time up to which audit events may be deleted, which a setting contains. Its value is -1 if the
 * setting is missing, so that no audit event may be deleted.
 */
const RETAINED_FROM =
  "coalesce((select cast(value as bigint) from settings where name = 'audit_kept_from'), -1)";

/** Triggers that refuse every change of an audit event, and its deletion before the retention period has passed. */
const TRIGGERS: Readonly<Record<DialectKind, readonly string[]>> = {
  sqlite: [
    `create trigger audit_events_no_update before update on audit_events begin select raise(abort, '${REFUSAL}'); end`,
    `create trigger audit_events_no_delete before delete on audit_events when old.at > ${RETAINED_FROM} begin select raise(abort, '${REFUSAL}'); end`,
  ],
  postgres: [
    `create function refuse_audit_change() returns trigger language plpgsql as $$ begin raise exception '${REFUSAL}'; end $$`,
    'create trigger audit_events_no_change before update or truncate on audit_events for each statement execute function refuse_audit_change()',
    `create function refuse_young_audit() returns trigger language plpgsql as $$ begin
      if old.at > ${RETAINED_FROM} then raise exception '${REFUSAL}'; end if;
      return old;
    end $$`,
    'create trigger audit_events_age before delete on audit_events for each row execute function refuse_young_audit()',
  ],
};

// Creates the table of audit events. `application_id` is not a foreign key, because an audit event must remain after
// its application was deleted.
export async function createAuditEvents(database: MigrationDatabase, kind: DialectKind): Promise<void> {
  const table = database.schema
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
    .addColumn('address', 'text');
  await (kind === 'postgres' ? table.modifyEnd(VACUUM_OFTEN) : table).execute();
  await createIndexes(database, 'audit_events', { audit_events_newest: ['at', 'id'] });
  for (const statement of TRIGGERS[kind]) await sql.raw(statement).execute(database);
}
