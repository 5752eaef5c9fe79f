import { type RawBuilder, sql } from 'kysely';
import { type DialectKind, dialectOf } from './dialect.js';
import { EXECUTION_RULE, type IndexedRule, SCANNED_RULES, type ScannedRule } from './retention-rules.js';
import type { Database } from './schema.js';

/**
 * Remembers for each retention rule the time up to which it has deleted rows, so that the next batch starts there.
 * PostgreSQL keeps deleted rows in its indexes until a vacuum, so a batch that started at the oldest row would read
 * more dead rows each time.
 */
function createProgress(kind: DialectKind) {
  const deletedUpTo = new Map<string, number>();
  return {
    of: (name: string): number => deletedUpTo.get(name) ?? 0,
    advance: (name: string, rows: readonly { readonly time: number }[]): void => {
      if (kind === 'postgres')
        deletedUpTo.set(name, Math.max(deletedUpTo.get(name) ?? 0, ...rows.map(({ time }) => time)));
    },
    reset: (name: string) => deletedUpTo.delete(name),
  };
}

/** SQL expression for the physical address of a row. */
const ROW_ID = { sqlite: sql.raw('rowid'), postgres: sql.raw('ctid') };

const unlessReferenced = ({ references = [] }: ScannedRule): RawBuilder<unknown> =>
  sql.raw(
    references
      .map(({ table, by }) => ` and not exists (select 1 from ${table} as named where ${by})`)
      .join(''),
  );

/**
 * Creates the queries that delete expired rows in batches. Each batch is one short statement, so that other writes need
 * not wait.
 */
export function expiredRowsTable(database: Database) {
  const kind = dialectOf(database);
  const progress = createProgress(kind);

  /**
   * Returns an SQL condition that matches the rows which the subquery `rows` selects. It uses their physical addresses,
   * so no further index is needed.
   */
  const areAmong = (rows: RawBuilder<unknown>): RawBuilder<unknown> =>
    kind === 'sqlite'
      ? sql`${ROW_ID.sqlite} in (select ${ROW_ID.sqlite} ${rows})`
      : sql`${ROW_ID.postgres} = any (array(select ${ROW_ID.postgres} ${rows}))`;

  return {
    /** Retention rules that scan whole tables. Contains only rules for tables that exist in this kind of database. */
    scannedRules: SCANNED_RULES.filter(({ onlyOn = kind }) => onlyOn === kind),

    /**
     * Deletes one batch of a table's oldest rows, up to the time `until` (milliseconds since 1970). Returns the number
     * of deleted rows.
     */
    deleteOldest: async (rule: IndexedRule, until: number): Promise<number> => {
      const { name, sliceSize, isAppended = false } = rule;
      const [table, time] = [sql.table(rule.table), sql.ref(rule.time)];
      const { rows } = await sql<{ time: number }>`delete from ${table} where ${areAmong(
        sql`from ${table} where ${time} >= ${progress.of(name)} and ${time} <= ${until} order by ${time} limit ${sliceSize}`,
      )} returning ${time} as time`.execute(database);
      if (isAppended || rows.length === sliceSize) progress.advance(name, rows);
      else progress.reset(name);
      return rows.length;
    },

    /**
     * Reads one batch of a table's rows in the order of their keys, and deletes the expired ones. Returns the cursor of
     * the next batch, or `undefined` after the last one.
     */
    deleteScanned: async (
      rule: ScannedRule,
      { after, until }: { readonly after: string; readonly until: number },
    ): Promise<string | undefined> => {
      const [table, key] = [sql.table(rule.table), sql.ref(rule.key)];
      const { rows } = await sql<{ key: string }>`select ${key} as key from ${table} where ${key} > ${after}
        order by ${key} limit ${rule.sliceSize}`.execute(database);
      const last = rows.at(-1)?.key;
      if (last === undefined) return undefined;
      await sql`delete from ${table} where ${key} > ${after} and ${key} <= ${last}
        and ${sql.ref(rule.time)} <= ${until}${unlessReferenced(rule)}`.execute(database);
      return rows.length < rule.sliceSize ? undefined : last;
    },

    /** Returns the id of the first application after `after`, in the order of ids, that has executions. */
    nextWithExecutions: async (after: string): Promise<string | undefined> => {
      const { rows } = await sql<{ applicationId: string }>`select application_id from executions
        where application_id > ${after} order by application_id limit 1`.execute(database);
      return rows[0]?.applicationId;
    },

    /**
     * Deletes one batch of an application's oldest executions, up to the time `until` (milliseconds since 1970).
     * Returns the number of deleted rows.
     */
    deleteOldestExecutions: async (applicationId: string, until: number): Promise<number> => {
      const oldest = sql`from executions where application_id = ${applicationId}
        and started_at >= ${progress.of(applicationId)} and started_at <= ${until}
        order by started_at, id limit ${EXECUTION_RULE.sliceSize}`;
      const condition =
        kind === 'sqlite'
          ? sql`(application_id, started_at, id) in (select application_id, started_at, id ${oldest})`
          : areAmong(oldest);
      const { rows } = await sql<{ time: number }>`delete from executions
        where application_id = ${applicationId} and ${condition} returning started_at as time`.execute(
        database,
      );
      progress.advance(applicationId, rows);
      return rows.length;
    },

    /**
     * Stores the time in milliseconds since 1970 from which audit events must be kept. Database triggers refuse to
     * delete later events.
     */
    setAuditRetainedFrom: async (time: number): Promise<void> => {
      await sql`insert into settings (name, value) values ('audit_kept_from', ${String(time)})
        on conflict (name) do update set value = excluded.value`.execute(database);
    },
  };
}
