import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** Program whose performance is measured. Its process runs no code of the benchmark. */
export interface Program {
  readonly pid: number;
  /** Time in milliseconds from starting the process to its first response. */
  readonly readyMs: number;
  readonly stop: () => Promise<void>;
}

export interface ProgramOptions {
  /** Command that starts the program. Default: Node.js. */
  readonly command?: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** URL of the readiness check. The program is ready when this URL responds with a status below 500. */
  readonly readyUrl: string;
  /** Folder for the log file. */
  readonly folder: string;
}

const START_TIMEOUT_MS = 60_000;
const POLL_MS = 4;
const STOP_TIMEOUT_MS = 10_000;

const isReady = (url: string): Promise<boolean> =>
  fetch(url).then(
    async (response) => {
      await response.arrayBuffer();
      return response.status < 500;
    },
    () => false,
  );

/**
 * Sends a signal to a process group. Returns false if the group no longer exists. Signal 0 only checks whether it
 * exists.
 */
function signalGroup(pid: number | undefined, signal: NodeJS.Signals | 0): boolean {
  if (pid === undefined) return false;
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}

/** Starts a program and resolves when it is ready. Writes its output to a log file, as a service manager would do. */
export async function startProgram(options: ProgramOptions): Promise<Program> {
  const { command = process.execPath, args, cwd, env, readyUrl, folder } = options;
  const logFile = path.join(folder, `${path.basename(command)}-${Date.now()}.log`);
  const log = openSync(logFile, 'a');
  const startedAt = performance.now();
  const child = spawn(command, args, {
    ...(cwd !== undefined && { cwd }),
    env: { ...process.env, ...env },
    stdio: ['ignore', log, log],
    // Creates a process group for the program, so that one signal also reaches the program's child processes.
    detached: true,
  });
  closeSync(log);
  const exited = once(child, 'exit');
  const signal = (name: NodeJS.Signals | 0) => signalGroup(child.pid, name);
  while (!(await isReady(readyUrl))) {
    const isLate = performance.now() - startedAt > START_TIMEOUT_MS;
    if (isLate) signal('SIGKILL');
    if (isLate || child.exitCode !== null || child.pid === undefined)
      throw new Error(`${command} ${args.join(' ')} did not start:\n${readFileSync(logFile, 'utf8')}`);
    await wait(POLL_MS);
  }
  const readyMs = performance.now() - startedAt;
  const end = async () => {
    const kill = setTimeout(signal, STOP_TIMEOUT_MS, 'SIGKILL');
    signal('SIGTERM');
    await exited;
    // Waits for the child processes of a command such as npm, because they may exit later than the command.
    while (signal(0)) await wait(POLL_MS);
    clearTimeout(kill);
  };
  let ended: Promise<void> | undefined;
  const stop = () => {
    ended ??= end();
    return ended;
  };
  return { pid: child.pid ?? 0, readyMs, stop };
}
