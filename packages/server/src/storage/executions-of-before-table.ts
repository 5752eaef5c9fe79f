import { sql } from 'kysely';
import type { Database } from './database.js';
import { EXECUTION_COLUMNS } from './executions-table.js';
import { kindOf } from './kind-of.js';

const COLUMNS = sql.raw(EXECUTION_COLUMNS.join(', '));
const NEWEST = sql.raw('from executions_of_before order by rowid desc limit');

/** What an older version wrote on SQLite, until it is moved to where executions lie now. */
export const executionsOfBeforeTable = (database: Database) => ({
  areThere: async (): Promise<boolean> => {
    if (kindOf(database) !== 'sqlite') return false;
    const { rows } = await sql`select 1 from sqlite_master where name = 'executions_of_before'`.execute(
      database,
    );
    return rows.length > 0;
  },

  /** So many of the newest, in a transaction. How many there were; when none are left the table goes. */
  moveSome: async (most: number): Promise<number> => {
    await sql`insert into executions (${COLUMNS}) select ${COLUMNS} ${NEWEST} ${most} on conflict do nothing`.execute(
      database,
    );
    const { numAffectedRows = 0n } =
      await sql`delete from executions_of_before where rowid in (select rowid ${NEWEST} ${most})`.execute(
        database,
      );
    if (numAffectedRows === 0n) await sql`drop table executions_of_before`.execute(database);
    return Number(numAffectedRows);
  },
});
