import { sql } from 'kysely';
import type { Database } from '../../../src/storage/schema.js';

/** Returns all rows of all tables, by table name. */
export async function readTables(database: Database): Promise<Readonly<Record<string, readonly unknown[]>>> {
  const tables = await database.introspection.getTables();
  const entries: [string, readonly unknown[]][] = [];
  for (const { name } of tables) {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(database);
    entries.push([name, rows]);
  }
  return Object.fromEntries(entries);
}
