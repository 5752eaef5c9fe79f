import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

const START_LIMIT_MS = 60_000;

/** Service that runs in its own process. */
export interface ServiceProcess {
  /** Milliseconds from the start of the process until it is ready. */
  readonly readyInMs: number;
  /** Output of the process until the service was ready. */
  readonly printed: string;
  /** Ends the process and returns its exit code. SIGKILL ends it without clean-up. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>;
}

async function end(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }
  return child.exitCode;
}

const withoutSettings = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('SVC_')));

function waitForReady(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const giveUp = (why: string) => reject(new Error(`The service ${why}:\n${output}`));
    const timer = setTimeout(giveUp, START_LIMIT_MS, 'was not ready in time');
    child.once('exit', (code) => giveUp(`ended with ${code}`));
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (!output.includes('is ready on')) return;
      clearTimeout(timer);
      resolve(output);
    });
  });
}

/**
 * Starts Node.js with the arguments and settings, and resolves when the service prints that it is ready. Settings in
 * the environment of the caller do not count, such as the settings of an application that `npm start` printed.
 */
export async function startServiceProcess(
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<ServiceProcess> {
  const started = performance.now();
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...withoutSettings(process.env), ...settings },
  });
  const printed = await waitForReady(child);
  return { readyInMs: performance.now() - started, printed, end: (signal) => end(child, signal) };
}
