import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '../../../scripts/free-port.ts';

const ROOT = path.join(import.meta.dirname, '../../..');
const FOLDER = path.join(ROOT, 'scripts/runtimes');
const NPM_CI = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline'];
const DENO = ['run', '--allow-read', '--allow-env', '--no-lock', '--node-modules-dir=manual'];

type Runtime = 'bun' | 'deno' | 'workerd';

/** Paths of the runtimes in their packages, by platform and processor. */
const FILES: Readonly<Record<string, Readonly<Record<Runtime, string>>>> = {
  'linux-x64': {
    bun: '@oven/bun-linux-x64/bin/bun',
    deno: '@deno/linux-x64-glibc/deno',
    workerd: '@cloudflare/workerd-linux-64/bin/workerd',
  },
  'linux-arm64': {
    bun: '@oven/bun-linux-aarch64/bin/bun',
    deno: '@deno/linux-arm64-glibc/deno',
    workerd: '@cloudflare/workerd-linux-arm64/bin/workerd',
  },
};

function fileOf(name: Runtime): string {
  const machine = `${process.platform}-${process.arch}`;
  const files = FILES[machine];
  if (files === undefined) throw new Error(`The runtimes have no packages for ${machine}.`);
  return path.join(FOLDER, 'node_modules', files[name]);
}

/** Returns the path of a runtime that `bringRuntimes` has installed. */
export function pathOf(name: Runtime): string {
  const file = fileOf(name);
  if (existsSync(file)) return file;
  throw new Error(`${file} is missing. Run npm ci in ${FOLDER}.`);
}

/** Number of installations to try. npm succeeds without an optional package that it could not download. */
const MOST_INSTALLATIONS = 3;

const areInstalled = (): boolean =>
  (['bun', 'deno', 'workerd'] as const).every((name) => existsSync(fileOf(name)));

/** Installs the runtimes from their own lock file. Their packages contain the programs and run no scripts. */
export function bringRuntimes(): void {
  for (let count = 1; count === 1 || (count <= MOST_INSTALLATIONS && !areInstalled()); count += 1) {
    const { status, stderr } = spawnSync('npm', NPM_CI, { cwd: FOLDER, encoding: 'utf8' });
    if (status !== 0) throw new Error(`The runtimes could not be installed: ${stderr}`);
  }
}

/** Commands that run a program and print its output. */
export const COMMANDS = {
  'Node.js': (): readonly string[] => [process.execPath],
  Bun: () => [pathOf('bun'), 'run'],
  Deno: () => [pathOf('deno'), ...DENO],
} as const;

/** Runs a program, and returns what it prints. Throws if it fails. */
export function runProgram([command = '', ...args]: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', timeout: 60_000 });
  if (status !== 0) throw new Error(`${command} ended with ${status}: ${stderr}`);
  return stdout;
}

/** Bundles a module of node_modules into one file, because workerd has no node_modules. */
export function bundle(entry: string, target: string): void {
  const esbuild = path.join(ROOT, 'scripts/node_modules/.bin/esbuild');
  runProgram([esbuild, entry, '--bundle', '--format=esm', `--outfile=${target}`], path.dirname(entry));
}

/** Starts a worker of a workerd configuration, whose socket has the name `http`. Returns its URL. */
export async function startWorker(
  config: string,
  cwd: string,
): Promise<{ readonly url: string; readonly stop: () => void }> {
  const port = await freePort();
  const args = ['serve', config, `--socket-addr=http=127.0.0.1:${port}`];
  const worker = spawn(pathOf('workerd'), args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  return { url: `http://127.0.0.1:${port}/`, stop: () => void worker.kill() };
}
