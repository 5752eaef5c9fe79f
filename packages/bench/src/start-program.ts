import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** A process that is measured: nothing of the bench runs in it. */
export interface Measured {
  readonly pid: number;
  /** From the start of the process until it answered. */
  readonly readyMs: number;
  readonly stop: () => Promise<void>;
}

export interface Program {
  readonly command?: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Answers with less than 500 as soon as it is ready. */
  readonly readyUrl: string;
  /** Where its log goes. */
  readonly folder: string;
}

const START_LIMIT_MS = 60_000;
const LOOK_MS = 4;
const STOP_LIMIT_MS = 10_000;

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    async (response) => {
      await response.arrayBuffer();
      return response.status < 500;
    },
    () => false,
  );

/** Whether there is anybody left to take it. */
function signalGroup(pid: number | undefined, signal: NodeJS.Signals | 0): boolean {
  if (pid === undefined) return false;
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}

/** Starts a program with its output in a file, as a service manager does, and resolves when it is ready. */
export async function startMeasured(program: Program): Promise<Measured> {
  const { command = process.execPath, args, cwd, env, readyUrl, folder } = program;
  const logFile = path.join(folder, `${path.basename(command)}-${Date.now()}.log`);
  const log = openSync(logFile, 'a');
  const startedAt = performance.now();
  const child = spawn(command, args, {
    ...(cwd !== undefined && { cwd }),
    env: { ...process.env, ...env },
    stdio: ['ignore', log, log],
    // A group of its own, so that what it starts ends with it.
    detached: true,
  });
  closeSync(log);
  const exited = once(child, 'exit');
  const signal = (name: NodeJS.Signals | 0) => signalGroup(child.pid, name);
  while (!(await answers(readyUrl))) {
    const isLate = performance.now() - startedAt > START_LIMIT_MS;
    if (isLate) signal('SIGKILL');
    if (isLate || child.exitCode !== null || child.pid === undefined)
      throw new Error(`${command} ${args.join(' ')} did not start:\n${readFileSync(logFile, 'utf8')}`);
    await wait(LOOK_MS);
  }
  const readyMs = performance.now() - startedAt;
  const stop = async () => {
    const kill = setTimeout(signal, STOP_LIMIT_MS, 'SIGKILL');
    signal('SIGTERM');
    await exited;
    // What was started by a command such as npm may end after it.
    while (signal(0)) await wait(LOOK_MS);
    clearTimeout(kill);
  };
  return { pid: child.pid ?? 0, readyMs, stop };
}
