import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Error of the release rehearsal. Its message contains the output of the failed command. */
export class RehearsalError extends Error {
  override readonly name = 'RehearsalError';
}

/** Folder, environment and limits of a command. */
export interface RunOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Timeout of the command in milliseconds. Default: 600,000 (ten minutes). */
  readonly timeout?: number;
  /** Expected exit code of the command. Default: 0. */
  readonly expects?: number;
}

const TEN_MINUTES = 600_000;
const LAST_LINES = 40;

const running = new Set<ChildProcess>();
const folders = new Set<string>();

/** Creates a temporary folder that is deleted when the release rehearsal ends. */
export function newFolder(name: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), `svc-rehearsal-${name}-`));
  folders.add(folder);
  return folder;
}

/** Writes files below a folder. Strings are written unchanged, other content as JSON. */
export function writeFiles(folder: string, files: Readonly<Record<string, unknown>>): void {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  }
}

/** Starts a process in its own process group. The release rehearsal kills the group, so child processes end too. */
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

/** Ends a process and its children. */
export function end(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, 'SIGTERM');
  } catch {
    // Ignores the error of `kill`, because the process has already ended.
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
        new RehearsalError(`${name} ended with ${code} instead of ${expects} in ${options.cwd}:\n${last}`),
      );
    });
  });
}

/** Waits until the output of a process matches a pattern, and resolves with the output. */
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

/** Ends all processes of the release rehearsal and deletes its temporary folders, unless `keep` is set. */
export function cleanUp({ keep = false }: { readonly keep?: boolean } = {}): void {
  for (const child of running) end(child);
  if (keep) return;
  for (const folder of folders)
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
