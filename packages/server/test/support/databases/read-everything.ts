import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { openDatabase } from '../../../src/storage/database.js';

/** Locations of a service's stored data: its data folder, and the URL of its PostgreSQL database. */
export interface Stored {
  readonly data: string;
  readonly databaseUrl: string | undefined;
}

function readFolder(folder: string): Buffer {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Buffer.concat(files.map(({ parentPath, name }) => readFileSync(path.join(parentPath, name))));
}

/** Dumps every row of every table as text. */
async function dump(url: string): Promise<Buffer> {
  const { database, close } = await openDatabase({ url });
  try {
    const { rows: tables } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables where table_schema = 'public'`.execute(
      database,
    );
    const texts: string[] = [];
    for (const { name } of tables) {
      const { rows } = await sql<{ row: string }>`
        select to_jsonb(each)::text as row from ${sql.table(name)} as each`.execute(database);
      texts.push(name, ...rows.map(({ row }) => row));
    }
    return Buffer.from(texts.join('\n'));
  } finally {
    await close();
  }
}

/** Reads all bytes that an attacker gets who steals the database and the data folder. */
export async function readEverything({ data, databaseUrl }: Stored): Promise<Buffer> {
  const files = readFolder(data);
  return databaseUrl === undefined ? files : Buffer.concat([files, await dump(databaseUrl)]);
}
