import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { type OpenDatabase, openDatabase } from '../../../src/storage/database.js';
import type { SqliteSource } from '../../../src/storage/sqlite.js';
import { newFolder } from '../processes/new-folder.js';
import { createDatabase, createEmptyDatabase, createEmptying, type TestPostgres } from './postgres.js';

/** Creates a database on this run's PostgreSQL server and returns its URL; `undefined` if the tests use SQLite. */
export async function newDatabaseUrl(): Promise<string | undefined> {
  const postgres = inject('postgres');
  return postgres && createDatabase(postgres);
}

/** Creates a PostgreSQL database without tables, which several instances may share. */
export async function newEmptyDatabaseUrl(): Promise<string> {
  const postgres = inject('postgres');
  if (postgres) return createEmptyDatabase(postgres);
  throw new Error('Only a PostgreSQL is shared by instances.');
}

async function makeFile(): Promise<Buffer> {
  const file = path.join(newFolder(), 'svc.db');
  await (await openDatabase({ path: file })).close();
  return readFileSync(file);
}

let made: Promise<Buffer> | undefined;

/** Bytes of a SQLite database file with empty tables, which is created only once. */
export function newDatabaseFile(): Promise<Buffer> {
  made ??= makeFile();
  return made;
}

interface Reused {
  readonly url: string;
  readonly empty: () => Promise<boolean>;
}

// Emptied databases that the next test of this worker reuses, because a new one takes the server ten times as long.
const emptied: Reused[] = [];

async function makeReused(postgres: TestPostgres): Promise<Reused> {
  const url = await createDatabase(postgres);
  return { url, empty: await createEmptying(postgres, url) };
}

/** Copies {@link newDatabaseFile}, which takes a tenth of the time in which a migration creates the tables. */
async function copyDatabaseFile(): Promise<SqliteSource> {
  const file = path.join(newFolder(), 'svc.db');
  writeFileSync(file, await newDatabaseFile(), { mode: 0o600 });
  return { path: file, inThread: false };
}

/** Opens a database with empty tables, and closes it after the test. `path` is a SQLite file. Default: a new file. */
export async function openTestDatabase(given: { readonly path?: string } = {}): Promise<OpenDatabase> {
  const postgres = inject('postgres');
  if (postgres === undefined) {
    const source = given.path === undefined ? await copyDatabaseFile() : { path: given.path };
    const opened = await openDatabase(source);
    onTestFinished(opened.close);
    return opened;
  }
  const reused = emptied.pop() ?? (await makeReused(postgres));
  const opened = await openDatabase({ url: reused.url });
  onTestFinished(async () => {
    await opened.close();
    if (await reused.empty()) emptied.push(reused);
  });
  return opened;
}
