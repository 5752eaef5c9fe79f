import { sql } from 'kysely';
import { dialectOf } from './dialect.js';
import { EXECUTION_RULE, INDEXED_RULES, SCANNED_RULES } from './retention-rules.js';
import type { Database } from './schema.js';

export interface TableSize {
  readonly table: string;
  readonly rows: number;
  /** True if `rows` is PostgreSQL's estimate, because counting a large table would take long. */
  readonly isEstimated: boolean;
  /** Size of the table in bytes, including its indexes. */
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

/** Queries of the sizes of all tables. Use them only for an operator, because they scan tables. */
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
      const { rows } = await SIZES[dialectOf(database)].execute(database);
      const sizes: TableSize[] = [];
      for (const { table, bytes, estimate } of rows) {
        const isEstimated = estimate >= COUNTED_ROWS;
        sizes.push({ table, bytes, isEstimated, rows: isEstimated ? estimate : await count(table) });
      }
      return sizes;
    },

    /**
     * Returns the time of the oldest row in a table with a retention rule, in milliseconds since 1970. Returns
     * `undefined` for other tables and for an empty table.
     */
    oldest: async (table: string): Promise<number | undefined> => {
      if (table === EXECUTION_RULE.table) return oldestExecution();
      const rule = [...INDEXED_RULES, ...SCANNED_RULES].find((each) => each.table === table);
      return rule && oldestBy(table, rule.time);
    },
  };
};

/** Numbers of pages in the SQLite file. PostgreSQL has no equivalent, because its autovacuum lets it reuse pages. */
export interface FileSpace {
  readonly pages: number;
  readonly free: number;
  readonly pageBytes: number;
  /**
   * True if the file supports incremental vacuum, which shrinks it step by step. Any other file must be rewritten
   * completely to shrink.
   */
  readonly givesBack: boolean;
}

const INCREMENTAL = 2;

export const freeSpaceTable = (database: Database) => {
  async function pragma(name: string): Promise<number> {
    const { rows } = await sql<{
      value: number;
    }>`select ${sql.ref(name)} as value from ${sql.table(`pragma_${name}`)}`.execute(database);
    return rows[0]?.value ?? 0;
  }

  return {
    /** Returns the numbers of pages in the SQLite file, such as free ones. Returns `undefined` for PostgreSQL. */
    ofFile: async (): Promise<FileSpace | undefined> => {
      if (dialectOf(database) !== 'sqlite') return undefined;
      return {
        pages: await pragma('page_count'),
        free: await pragma('freelist_count'),
        pageBytes: await pragma('page_size'),
        givesBack: (await pragma('auto_vacuum')) === INCREMENTAL,
      };
    },

    /** Returns free pages of the SQLite file to the file system, which shrinks the file. `pages`: maximum number. */
    giveBack: async (pages: number): Promise<void> => {
      await sql.raw(`pragma incremental_vacuum(${Math.trunc(pages)})`).execute(database);
    },

    /**
     * Rewrites the SQLite file without its free pages, and enables incremental vacuum. All other statements wait
     * meanwhile.
     */
    writeAnew: async (): Promise<void> => {
      await sql`vacuum`.execute(database);
    },
  };
};
