import { SqliteAdapter } from 'kysely';
import type { Database } from './database.js';
import type { DialectKind } from './open-dialect.js';

/** Which database it is, for the few statements that differ. */
export const kindOf = (database: Database): DialectKind =>
  database.getExecutor().adapter instanceof SqliteAdapter ? 'sqlite' : 'postgres';
