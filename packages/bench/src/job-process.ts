import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A process of the bench that does one job after the other. */
export interface Helper<Job, Result> {
  readonly ask: (job: Job) => Promise<Result>;
  readonly stop: () => Promise<void>;
}

type Answer<Result> = { readonly result: Result } | { readonly failure: string };

/** In the process of the helper: answers every job that comes, and ends when nobody is left to answer. */
export function answerJobs<Job, Result>(work: (job: Job) => Result | Promise<Result>): void {
  const answer = (message: Answer<Result>) => void process.send?.(message);
  process.on('message', async (job: Job) => {
    try {
      answer({ result: await work(job) });
    } catch (error) {
      answer({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  });
  process.once('disconnect', () => process.exit());
}

function ask<Job extends object, Result>(child: ChildProcess, job: Job): Promise<Result> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`A process of the bench ended with ${code}.`));
    child.once('exit', onExit);
    child.once('message', (answer: Answer<Result>) => {
      child.off('exit', onExit);
      if ('failure' in answer) reject(new Error(answer.failure));
      else resolve(answer.result);
    });
    child.send(job);
  });
}

/** Starts `file` of this folder, which calls `answerJobs`. */
export function startHelper<Job extends object, Result>(
  file: string,
  nodeArgs: readonly string[] = [],
): Helper<Job, Result> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), { execArgv: [...nodeArgs] });
  return {
    ask: (job) => ask(child, job),
    stop: async () => {
      // A signal of the terminal has reached it, too.
      if (!child.connected) return;
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}
