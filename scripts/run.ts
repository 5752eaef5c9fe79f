import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

export type Step = readonly [title: string, command: string, ...args: string[]];

interface RunOptions {
  /** True if the step's output is printed at its end, because other steps run at the same time. */
  readonly isGrouped?: boolean;
}

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill();
});

/**
 * Ends the other steps that run in parallel and waits for them, because they need time to end their own child
 * processes.
 */
async function endOthers(): Promise<void> {
  const alive = [...running].filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
  await Promise.all(
    alive.map((child) => {
      child.kill();
      return once(child, 'exit');
    }),
  );
}

/** Runs a command, prints its output, and resolves to its exit code and output. */
export function run(
  command: string,
  args: readonly string[],
  { isGrouped = false }: RunOptions = {},
): Promise<{ code: number; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', isGrouped ? 'pipe' : 'inherit'] });
    running.add(child);
    let output = '';
    const collect = (text: string) => {
      output += text;
      if (!isGrouped) process.stdout.write(text);
    };
    child.stdout?.setEncoding('utf8').on('data', collect);
    child.stderr?.setEncoding('utf8').on('data', collect);
    child.on('error', reject);
    child.on('close', (code) => {
      running.delete(child);
      if (isGrouped) process.stdout.write(output);
      resolve({ code: code ?? 1, output });
    });
  });
}

/** Runs check steps in order and prints their durations. Stops at the first failed step. */
export async function runSteps(steps: readonly Step[], options: RunOptions = {}): Promise<string> {
  let printed = '';
  for (const [title, command, ...args] of steps) {
    const started = performance.now();
    if (!options.isGrouped) process.stdout.write(`\n== ${title}\n`);
    const { code, output } = await run(command, args, options);
    if (code !== 0) {
      process.stdout.write(`\n== ${title}: failed\n`);
      await endOthers();
      process.exit(code);
    }
    printed += output;
    process.stdout.write(`== ${title}: ${((performance.now() - started) / 1000).toFixed(1)} s\n`);
  }
  return printed;
}
