import { spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { memoryMib } from './process-usage.ts';

export interface Ran {
  readonly ms: number;
  /** MiB of memory that it held at most. */
  readonly peakMib: number;
}

export interface Running {
  readonly isOver: () => boolean;
  readonly ran: Promise<Ran>;
}

const LOOK_MS = 20;

/** Runs a program to its end, and looks at its memory meanwhile. */
export function runCommand(args: readonly string[], env: NodeJS.ProcessEnv): Running {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let told = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    told += text;
  });
  let code: number | null | undefined;
  child.once('exit', (exited) => {
    code = exited;
  });
  const look = async (): Promise<Ran> => {
    let peakMib = 0;
    while (code === undefined) {
      // Between its end and the news of it there is nothing to look at.
      peakMib = Math.max(peakMib, memoryMib(child.pid ?? 0, 'peak'));
      await wait(LOOK_MS);
    }
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${told}`);
    return { ms: performance.now() - startedAt, peakMib };
  };
  return { isOver: () => code !== undefined, ran: look() };
}
