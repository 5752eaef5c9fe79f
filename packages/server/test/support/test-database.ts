import { inject, onTestFinished } from 'vitest';
import { type DatabaseSource, type OpenDatabase, openDatabase } from '../../src/storage/database.js';
import { createDatabase } from './postgres.js';

/** The URL of a new database on the PostgreSQL of this run; `undefined` where the tests use SQLite. */
export async function newDatabaseUrl(): Promise<string | undefined> {
  const postgres = inject('postgres');
  return postgres && createDatabase(postgres);
}

/** A new database of the kind that this run is about. A path is for SQLite alone. */
export async function newDatabaseSource({ path = ':memory:' } = {}): Promise<DatabaseSource> {
  const url = await newDatabaseUrl();
  return url === undefined ? { path } : { url };
}

/** Open until the test is over. */
export async function openTestDatabase(options: { readonly path?: string } = {}): Promise<OpenDatabase> {
  const opened = await openDatabase(await newDatabaseSource(options));
  onTestFinished(opened.close);
  return opened;
}
