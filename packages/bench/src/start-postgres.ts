import { randomBytes } from 'node:crypto';
import { startPostgres } from '../../server/test/support/databases/postgres-server.ts';
import type { Bench } from './part.ts';

/** Starts a PostgreSQL server with default settings, and returns its URL. */
export async function startPostgresServer({ defer }: Bench): Promise<string> {
  const { url, stop } = await startPostgres();
  defer(stop);
  return url;
}

/** Returns the service settings for a PostgreSQL database. */
export const databaseSettings = (url: string): Readonly<Record<string, string>> => ({
  DATABASE_URL: url,
  SVC_ROOT_KEY: randomBytes(32).toString('base64'),
});
