import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Something of the rehearsal went wrong: told with what the command printed. */
export class RehearsalError extends Error {
  override readonly name = 'RehearsalError';
}

/** Folder and environment of a command. */
export interface RunOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Milliseconds after which it is ended. Default: ten minutes. */
  readonly timeout?: number;
  /** The exit code that is right. Default: 0. */
  readonly expects?: number;
}

const TEN_MINUTES = 600_000;
const LAST_LINES = 40;

const running = new Set<ChildProcess>();
const folders = new Set<string>();

/** A new folder that is removed when the rehearsal ends. */
export function newFolder(name: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), `svc-rehearsal-${name}-`));
  folders.add(folder);
  return folder;
}

/** Writes files below a folder: text as it is, anything else as JSON. */
export function writeFiles(folder: string, files: Readonly<Record<string, unknown>>): void {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  }
}

/** Starts a process that is ended with the rehearsal, with everything that it started. */
export function start(command: string, args: readonly string[], { cwd, env }: RunOptions): ChildProcess {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Ends a process and what it started. */
export function end(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, 'SIGTERM');
  } catch {
    // The process has already ended.
  }
}

/** Runs a command and resolves to its output. Throws on an unexpected exit code. */
export function run(command: string, args: readonly string[], options: RunOptions): Promise<string> {
  const { timeout = TEN_MINUTES, expects = 0 } = options;
  return new Promise((resolve, reject) => {
    const child = start(command, args, options);
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (printed += text));
    const timer = setTimeout(() => end(child), timeout);
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      if (code === expects) return resolve(printed);
      const last = printed.trim().split('\n').slice(-LAST_LINES).join('\n');
      const name = [path.basename(command), ...args].join(' ');
      return reject(
        new RehearsalError(`${name} ended with ${code}, not ${expects}, in ${options.cwd}:\n${last}`),
      );
    });
  });
}

/** Resolves with what a process has printed once that fits. */
export function waitFor(child: ChildProcess, pattern: RegExp, timeout = 60_000): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    const giveUp = (why: string) => reject(new RehearsalError(`A process ${why}:\n${printed.slice(-2000)}`));
    const timer = setTimeout(giveUp, timeout, `did not print ${pattern} in time`);
    child.once('exit', (code) => giveUp(`ended with ${code}`));
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
        if (!pattern.test(printed)) return;
        clearTimeout(timer);
        resolve(printed);
      });
  });
}

/** Ends what still runs, and removes the folders. */
export function cleanUp({ keep = false }: { readonly keep?: boolean } = {}): void {
  for (const child of running) end(child);
  if (keep) return;
  for (const folder of folders)
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
