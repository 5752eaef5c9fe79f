import { randomBytes } from 'node:crypto';
import { startPostgres } from '../../server/test/support/postgres-server.ts';
import type { Bench } from './part.ts';

/** Starts a PostgreSQL with its default settings; gives its URL. */
export async function startServer({ defer }: Pick<Bench, 'defer'>): Promise<string> {
  const { url, stop } = await startPostgres();
  defer(stop);
  return url;
}

/** Settings of a service whose data is in that database. */
export const onDatabase = (url: string): Readonly<Record<string, string>> => ({
  DATABASE_URL: url,
  SVC_ROOT_KEY: randomBytes(32).toString('base64'),
});
