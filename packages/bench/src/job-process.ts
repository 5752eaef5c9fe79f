import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Child process of the benchmark that runs one job at a time. */
export interface JobProcess<Job, Result> {
  readonly run: (job: Job) => Promise<Result>;
  readonly stop: () => Promise<void>;
}

type Message<Result> = { readonly result: Result } | { readonly failure: string };

/**
 * Runs in the child process: executes each job that the parent process sends, and exits when the parent disconnects.
 */
export function handleJobs<Job, Result>(work: (job: Job) => Result | Promise<Result>): void {
  const send = (message: Message<Result>) => void process.send?.(message);
  process.on('message', async (job: Job) => {
    try {
      send({ result: await work(job) });
    } catch (error) {
      send({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  });
  process.once('disconnect', () => process.exit());
}

function runJob<Job extends object, Result>(child: ChildProcess, job: Job): Promise<Result> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) =>
      reject(new Error(`A process of the bench exited with ${code}. The lines above say why.`));
    child.once('exit', onExit);
    child.once('message', (message: Message<Result>) => {
      child.off('exit', onExit);
      if ('failure' in message) reject(new Error(message.failure));
      else resolve(message.result);
    });
    child.send(job);
  });
}

/** Runs a file of this folder in a child process. The file must call `handleJobs`. */
export function startJobProcess<Job extends object, Result>(
  file: string,
  nodeArgs: readonly string[] = [],
): JobProcess<Job, Result> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), { execArgv: [...nodeArgs] });
  return {
    run: (job) => runJob(child, job),
    stop: async () => {
      // Does nothing if the child has already exited, because Ctrl+C in a terminal signals the child too.
      if (!child.connected) return;
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}
