import { inject, onTestFinished } from 'vitest';
import { type DatabaseSource, type OpenDatabase, openDatabase } from '../../src/storage/database.js';
import { createDatabase, createEmptyDatabase } from './postgres.js';

/** The URL of a new database on the PostgreSQL of this run; `undefined` where the tests use SQLite. */
export async function newDatabaseUrl(): Promise<string | undefined> {
  const postgres = inject('postgres');
  return postgres && createDatabase(postgres);
}

/** A database without tables, which several instances may share. For PostgreSQL alone. */
export async function newEmptyDatabaseUrl(): Promise<string> {
  const postgres = inject('postgres');
  if (postgres) return createEmptyDatabase(postgres);
  throw new Error('Only a PostgreSQL is shared by instances.');
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
