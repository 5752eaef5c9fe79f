import { newDatabaseUrl } from '../databases/test-database.js';
import { type Ended, newDataFolder, runService } from './service-process.js';

/** Data folder and environment variables that several commands and services share. */
export interface CommandSetup {
  readonly data: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Returns an empty data folder, and the URL of a new database if the tests run on PostgreSQL. */
export async function newSetup(): Promise<CommandSetup> {
  const data = newDataFolder();
  const url = await newDatabaseUrl();
  return { data, env: { SVC_DATA: data, ...(url !== undefined && { DATABASE_URL: url }) } };
}

/** Runs a CLI command in a new process and waits until the process ends. */
export const command = ({ env }: Pick<CommandSetup, 'env'>, ...words: readonly string[]): Promise<Ended> =>
  runService({ flags: words, env }).ended;

/** Returns the output of a command with `--json`. Throws when the command fails. */
export async function commandJson<Data>(setup: Pick<CommandSetup, 'env'>, ...words: string[]): Promise<Data> {
  const { code, stdout, stderr } = await command(setup, ...words, '--json');
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout);
}
