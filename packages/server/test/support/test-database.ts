import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { type OpenDatabase, openDatabase } from '../../src/storage/database.js';
import { createDatabase, createEmptyDatabase, createEmptying, type TestPostgres } from './postgres.js';

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

async function makeFile(): Promise<Buffer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-test-'));
  const file = path.join(folder, 'svc.db');
  await (await openDatabase({ path: file })).close();
  const bytes = readFileSync(file);
  rmSync(folder, { recursive: true });
  return bytes;
}

let made: Promise<Buffer> | undefined;

/** The file of a database of SQLite without rows: its tables are made once. */
export function newDatabaseFile(): Promise<Buffer> {
  made ??= makeFile();
  return made;
}

interface Reused {
  readonly url: string;
  readonly empty: () => Promise<boolean>;
}

// Emptied after a test, for the next one of this worker: a new one takes the server ten times as long.
const emptied: Reused[] = [];

async function makeReused(postgres: TestPostgres): Promise<Reused> {
  const url = await createDatabase(postgres);
  return { url, empty: await createEmptying(postgres, url) };
}

/** Open until the test is over, without rows. */
export async function openTestDatabase({ path = ':memory:' } = {}): Promise<OpenDatabase> {
  const postgres = inject('postgres');
  if (postgres === undefined) {
    const opened = await openDatabase({ path });
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
