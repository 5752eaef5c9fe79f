import { sql } from 'kysely';
import type { Database } from './database.js';
import { kindOf } from './kind-of.js';

/** Pages of a SQLite file. PostgreSQL uses its own again, by autovacuum. */
export interface FileSpace {
  readonly pages: number;
  readonly free: number;
  readonly pageBytes: number;
  /** Whether the file shrinks by single pages. A file that was made without incremental vacuum has to be written anew first. */
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
    /** `undefined` where that is the database's own business. */
    ofFile: async (): Promise<FileSpace | undefined> => {
      if (kindOf(database) !== 'sqlite') return undefined;
      return {
        pages: await pragma('page_count'),
        free: await pragma('freelist_count'),
        pageBytes: await pragma('page_size'),
        givesBack: (await pragma('auto_vacuum')) === INCREMENTAL,
      };
    },

    /** Makes the file so many pages shorter. */
    giveBack: async (pages: number): Promise<void> => {
      await sql.raw(`pragma incremental_vacuum(${Math.trunc(pages)})`).execute(database);
    },

    /** Writes the file anew without what is free, and so that later it is given back. Nothing else can be done meanwhile. */
    writeAnew: async (): Promise<void> => {
      await sql`vacuum`.execute(database);
    },
  };
};
