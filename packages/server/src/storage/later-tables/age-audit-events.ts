import { sql } from 'kysely';
import { AUDIT_REFUSAL } from '../first-tables/create-audit-events.js';
import type { Migrating } from '../first-tables/owned.js';
import type { DialectKind } from '../open-dialect.js';

/** The latest moment whose events may go: none, as long as nobody has said it. */
const KEPT_FROM = "coalesce((select cast(value as bigint) from settings where name = 'audit_kept_from'), -1)";

const MAY_GO: Readonly<Record<DialectKind, readonly string[]>> = {
  sqlite: [
    'drop trigger audit_events_no_delete',
    `create trigger audit_events_no_delete before delete on audit_events when old.at > ${KEPT_FROM} begin select raise(abort, '${AUDIT_REFUSAL}'); end`,
  ],
  postgres: [
    `create or replace function refuse_audit_change() returns trigger language plpgsql as $$ begin
      if tg_op = 'DELETE' then return null; end if;
      raise exception '${AUDIT_REFUSAL}';
    end $$`,
    `create function refuse_young_audit() returns trigger language plpgsql as $$ begin
      if old.at > ${KEPT_FROM} then raise exception '${AUDIT_REFUSAL}'; end if;
      return old;
    end $$`,
    'create trigger audit_events_age before delete on audit_events for each row execute function refuse_young_audit()',
  ],
};

/** Rows of the audit log are never changed, and deleted only when they are older than the operator keeps them. */
export async function ageAuditEvents(database: Migrating, kind: DialectKind): Promise<void> {
  for (const statement of MAY_GO[kind]) await sql.raw(statement).execute(database);
}
