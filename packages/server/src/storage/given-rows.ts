import { type RawBuilder, sql } from 'kysely';
import { dialectOf } from './dialect.js';
import type { Database } from './schema.js';

type ColumnType = 'text' | 'integer' | 'bigint';

/**
 * Returns the SQL of a table `given` whose rows come from one JSON parameter. The statement's text then does not depend
 * on the number of rows, so that it is prepared only once. `columns`: SQL type of each column. The rows have properties
 * with the names of the columns.
 */
export function givenRows<Name extends string>(
  database: Database,
  columns: Readonly<Record<Name, ColumnType>>,
  rows: readonly Readonly<Record<Name, string | number | null>>[],
): RawBuilder<unknown> {
  const json = JSON.stringify(rows);
  const types = Object.entries<ColumnType>(columns);
  if (dialectOf(database) === 'postgres') {
    const record = types.map(([name, type]) => `${name} ${type}`).join(', ');
    // Adds `limit` to tell PostgreSQL's query planner how many rows the JSON contains. Its default estimate is 100.
    return sql`(select * from json_to_recordset(${json}::json) as listed (${sql.raw(record)})
      limit ${rows.length}) as given`;
  }
  const values = types.map(([name]) => `value ->> '${name}' as ${name}`).join(', ');
  return sql`(select ${sql.raw(values)} from json_each(${json})) as given`;
}
