import { sql } from 'kysely';
import type { Database } from './database.js';
import { AGING, EXECUTIONS, WATCHED } from './kept-rows.js';
import { kindOf } from './kind-of.js';

export interface TableSize {
  readonly table: string;
  readonly rows: number;
  /** PostgreSQL's own estimate: counting would take long. */
  readonly isEstimated: boolean;
  /** With its indexes. */
  readonly bytes: number;
}

const COUNTED_ROWS = 100_000;

const SIZES = {
  sqlite: sql<{ table: string; bytes: number; estimate: number }>`
    select tbl_name as "table", sum(pgsize) as bytes, -1 as estimate
    from dbstat('main', 1) as pages join sqlite_master using (name) group by tbl_name`,
  postgres: sql<{ table: string; bytes: number; estimate: number }>`
    select relname as "table", pg_total_relation_size(pg_class.oid) as bytes, reltuples as estimate
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relkind = 'r' and nspname = current_schema()`,
};

/** What takes how much. For an operator who asks: some of it is read from end to end. */
export const sizesTable = (database: Database) => {
  const count = async (table: string): Promise<number> => {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(
      database,
    );
    return Number(rows[0]?.count ?? 0);
  };

  async function oldestExecution(): Promise<number | undefined> {
    const { rows } = await sql<{ oldest: number | null }>`
      with recursive owners (id) as (
        select min(application_id) from executions
        union all
        select (select min(application_id) from executions where application_id > id) from owners where id is not null
      )
      select min((select min(started_at) from executions where application_id = owners.id)) as oldest from owners`.execute(
      database,
    );
    return rows[0]?.oldest ?? undefined;
  }

  async function oldestBy(table: string, time: string): Promise<number | undefined> {
    const { rows } = await sql<{ oldest: number | null }>`
      select min(${sql.ref(time)}) as oldest from ${sql.table(table)}`.execute(database);
    return rows[0]?.oldest ?? undefined;
  }

  return {
    list: async (): Promise<TableSize[]> => {
      const { rows } = await SIZES[kindOf(database)].execute(database);
      const sizes: TableSize[] = [];
      for (const { table, bytes, estimate } of rows) {
        const isEstimated = estimate >= COUNTED_ROWS;
        sizes.push({ table, bytes, isEstimated, rows: isEstimated ? estimate : await count(table) });
      }
      return sizes;
    },

    /** Of rows that have an age. */
    oldest: async (table: string): Promise<number | undefined> => {
      if (table === EXECUTIONS.table) return oldestExecution();
      const aging = [...AGING, ...WATCHED].find((each) => each.table === table);
      return aging && oldestBy(table, aging.time);
    },
  };
};
