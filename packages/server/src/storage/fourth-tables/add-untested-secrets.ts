import type { MigrationDatabase } from '../first-tables/owned-table.js';

/** Adds the time since when an account has secrets that no test and no call has confirmed. */
export const addUntestedSecrets = (database: MigrationDatabase): Promise<void> =>
  database.schema.alterTable('accounts').addColumn('untested_since', 'bigint').execute();
