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

/** Starts a program with its output in a file, as a service manager does, and resolves when it is ready. */
export async function startMeasured(program: Program): Promise<Measured> {
  const { command = process.execPath, args, env, readyUrl, folder } = program;
  const logFile = path.join(folder, `${path.basename(command)}-${Date.now()}.log`);
  const log = openSync(logFile, 'a');
  const startedAt = performance.now();
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', log, log] });
  closeSync(log);
  const exited = once(child, 'exit');
  while (!(await answers(readyUrl))) {
    const isLate = performance.now() - startedAt > START_LIMIT_MS;
    if (isLate) child.kill('SIGKILL');
    if (isLate || child.exitCode !== null || child.pid === undefined)
      throw new Error(`${command} ${args.join(' ')} did not start:\n${readFileSync(logFile, 'utf8')}`);
    await wait(LOOK_MS);
  }
  const readyMs = performance.now() - startedAt;
  const stop = async () => {
    const kill = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
    child.kill('SIGTERM');
    await exited;
    clearTimeout(kill);
  };
  return { pid: child.pid ?? 0, readyMs, stop };
}
