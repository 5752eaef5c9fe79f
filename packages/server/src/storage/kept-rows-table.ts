import { type RawBuilder, sql } from 'kysely';
import type { Database } from './database.js';
import { type Aging, EXECUTIONS, WATCHED, type Watched } from './kept-rows.js';
import { kindOf } from './kind-of.js';
import { createReached } from './reached.js';

/** Where the database finds a row without an index. */
const PLACE = { sqlite: sql.raw('rowid'), postgres: sql.raw('ctid') };

const names = ({ named = [] }: Watched): RawBuilder<unknown> =>
  sql.raw(
    named.map(({ table, by }) => ` and not exists (select 1 from ${table} as named where ${by})`).join(''),
  );

const timesOf = (rows: readonly { readonly time: number }[]) => rows.map(({ time }) => time);

/** What is deleted for its age, in slices: each is a statement that nobody waits for long, and says how many rows it deleted. */
export const keptRowsTable = (database: Database) => {
  const kind = kindOf(database);

  /** Found by the index that gives the oldest, and deleted where it lies. */
  const oldest = (rows: RawBuilder<unknown>): RawBuilder<unknown> =>
    kind === 'sqlite'
      ? sql`${PLACE.sqlite} in (select ${PLACE.sqlite} ${rows})`
      : sql`${PLACE.postgres} = any (array(select ${PLACE.postgres} ${rows}))`;

  const reached = createReached(kind);

  return {
    /** Those of this database. */
    watched: WATCHED.filter(({ only = kind }) => only === kind),

    deleteSome: async (aging: Aging, until: number): Promise<number> => {
      const { name, most, isAppended = false } = aging;
      const [table, time] = [sql.table(aging.table), sql.ref(aging.time)];
      const from = reached.from(name);
      const { rows } = await sql<{ time: number }>`delete from ${table} where ${oldest(
        sql`from ${table} where ${time} >= ${from} and ${time} <= ${until} order by ${time} limit ${most}`,
      )} returning ${time} as time`.execute(database);
      reached.note(name, timesOf(rows), isAppended || rows.length === most);
      return rows.length;
    },

    /** Looks at some of them, those after `after`. Gives where to go on; nothing when all were looked at. */
    deleteAmongSome: async (
      watched: Watched,
      { after, until }: { readonly after: string; readonly until: number },
    ): Promise<string | undefined> => {
      const [table, key] = [sql.table(watched.table), sql.ref(watched.key)];
      const { rows } = await sql<{ key: string }>`select ${key} as key from ${table} where ${key} > ${after}
        order by ${key} limit ${watched.most}`.execute(database);
      const last = rows.at(-1)?.key;
      if (last === undefined) return undefined;
      await sql`delete from ${table} where ${key} > ${after} and ${key} <= ${last}
        and ${sql.ref(watched.time)} <= ${until}${names(watched)}`.execute(database);
      return rows.length < watched.most ? undefined : last;
    },

    /** The application after this one that has executions. */
    nextWithExecutions: async (after: string): Promise<string | undefined> => {
      const { rows } = await sql<{ applicationId: string }>`select application_id from executions
        where application_id > ${after} order by application_id limit 1`.execute(database);
      return rows[0]?.applicationId;
    },

    deleteSomeExecutions: async (applicationId: string, until: number): Promise<number> => {
      const from = reached.from(applicationId);
      const found = sql`from executions where application_id = ${applicationId}
        and started_at >= ${from} and started_at <= ${until} order by started_at, id limit ${EXECUTIONS.most}`;
      const own =
        kind === 'sqlite'
          ? sql`(application_id, started_at, id) in (select application_id, started_at, id ${found})`
          : oldest(found);
      const { rows } = await sql<{ time: number }>`delete from executions
        where application_id = ${applicationId} and ${own} returning started_at as time`.execute(database);
      if (rows.length > 0) reached.note(applicationId, timesOf(rows), true);
      return rows.length;
    },

    /** From when on audit events stay: the database itself refuses to delete later ones. */
    keepAuditFrom: async (time: number): Promise<void> => {
      await sql`insert into settings (name, value) values ('audit_kept_from', ${String(time)})
        on conflict (name) do update set value = excluded.value`.execute(database);
    },
  };
};
