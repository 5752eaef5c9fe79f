import { sql } from 'kysely';
import type { DialectKind } from './dialect.js';
import { dialectOf } from './dialect.js';
import { createMigrations } from './migrations.js';
import type { Database } from './schema.js';

export interface ServerFacts {
  readonly kind: DialectKind;
  readonly version: string;
  readonly sizeBytes: number;
  readonly migrations: { readonly applied: readonly string[]; readonly pending: readonly string[] };
}

const FACTS = {
  sqlite: sql<{ version: string; size: number }>`select sqlite_version() as version,
    (select page_count from pragma_page_count) * (select page_size from pragma_page_size) as size`,
  postgres: sql<{ version: string; size: number }>`select current_setting('server_version') as version,
    pg_database_size(current_database()) as size`,
};

/** Queries of facts about the database server, such as its version. */
export const serverFactsTable = (database: Database) => ({
  read: async (): Promise<ServerFacts> => {
    const kind = dialectOf(database);
    const { rows } = await FACTS[kind].execute(database);
    const { rows: done } = await sql<{
      name: string;
    }>`select name from kysely_migration order by name`.execute(database);
    const applied = done.map(({ name }) => name);
    const pending = Object.keys(createMigrations(kind)).filter((name) => !applied.includes(name));
    const [facts] = rows;
    return {
      kind,
      version: facts?.version ?? '',
      sizeBytes: Number(facts?.size ?? 0),
      migrations: { applied, pending },
    };
  },
});
