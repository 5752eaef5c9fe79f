import { type Ended, newDataFolder, runService } from './service-process.js';
import { newDatabaseUrl } from './support/test-database.js';

/** Environment with which commands and services use the same data. */
export interface Place {
  readonly data: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A place without a database in it. */
export async function newPlace(): Promise<Place> {
  const data = newDataFolder();
  const url = await newDatabaseUrl();
  return { data, env: { SVC_DATA: data, ...(url !== undefined && { DATABASE_URL: url }) } };
}

/** Runs a command as its own process, to its end. */
export const command = ({ env }: Pick<Place, 'env'>, ...words: readonly string[]): Promise<Ended> =>
  runService({ flags: words, env }).ended;

/** Returns the output of a command with `--json`. Throws when the command fails. */
export async function commandJson<Data>(place: Pick<Place, 'env'>, ...words: string[]): Promise<Data> {
  const { code, stdout, stderr } = await command(place, ...words, '--json');
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout);
}
