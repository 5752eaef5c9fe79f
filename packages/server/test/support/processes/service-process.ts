import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { newDatabaseUrl } from '../databases/test-database.js';
import { RAISED_LIMITS } from '../service/raised-limits.js';
import { newFolder } from './new-folder.js';
import { newPort, nextPort } from './new-port.js';

/** Exit of a process, and its whole output. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly flags?: readonly string[];
  /** Environment variables of the process; it inherits no others. */
  readonly env?: Readonly<Record<string, string>>;
  /** Working directory. Default: that of the tests. */
  readonly cwd?: string;
  /** Program to run. Default: the built service. */
  readonly main?: string;
  /** ID of the system user that runs the program. Default: the user of the tests. */
  readonly user?: number;
  /** Wrapper command that starts the program, such as `unshare`. Default: none. */
  readonly through?: readonly string[];
  /** True to close standard output and standard error at once, as `head` does after its last line. */
  readonly isOutputClosed?: boolean;
}

/** A process of the service, from its start to its end. */
export interface RunningProcess {
  readonly pid: number;
  /** Returns the standard output until now. */
  readonly stdout: () => string;
  /** Returns the standard error until now. */
  readonly stderr: () => string;
  readonly ended: Promise<Ended>;
  /** Resolves when standard output matches the pattern. Rejects if the process exits first. */
  readonly printed: (pattern: RegExp) => Promise<void>;
  readonly signal: (name: 'SIGTERM' | 'SIGINT' | 'SIGHUP' | 'SIGKILL' | 'SIGSTOP' | 'SIGCONT') => void;
}

/** Settings that stay the same when a service is restarted. */
export interface ServiceSettings extends RunOptions {
  readonly port: number;
  readonly data: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface ServiceProcess extends RunningProcess, ServiceSettings {
  readonly url: string;
  /** Kills the process with SIGKILL and waits for its exit, as after a power cut. */
  readonly kill: () => Promise<void>;
}

// Main file of the service. scripts/mutants/mutants.ts sets `SVC_TEST_MAIN` to test another build.
const MAIN = process.env['SVC_TEST_MAIN'] ?? fileURLToPath(new URL('../../../dist/main.js', import.meta.url));
const READY = /is ready on/;
// Environment of all service processes. The shared compile cache saves each process from compiling the service for its
// own data folder.
const OF_TESTS = {
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
  SVC_PLAIN_RUNTIME: process.env['SVC_PLAIN_RUNTIME'] ?? '',
};

/** Returns the path of a data folder that does not exist yet, so that the service creates it. */
export const newDataFolder = (): string => path.join(newFolder(), 'data');

export function runService(options: RunOptions = {}): RunningProcess {
  const { flags = [], env = {}, cwd, main = MAIN, user, through = [], isOutputClosed } = options;
  const [command = '', ...args] = [...through, process.execPath, main, ...flags];
  const child = spawn(command, args, {
    // The port comes from the test range, because a developer's own service may use the default port.
    env: { ...OF_TESTS, SVC_PORT: String(nextPort()), ...env },
    cwd,
    ...(user !== undefined && { uid: user, gid: user }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  if (isOutputClosed) for (const stream of [child.stdout, child.stderr]) stream.destroy();
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code) => resolve({ code, ...output }));
  });
  const printed = (pattern: RegExp) =>
    new Promise<void>((resolve, reject) => {
      const look = () => pattern.test(output.stdout) && resolve();
      child.stdout.on('data', look);
      look();
      void ended.then(({ code, stderr }) => reject(new Error(`The process ended with ${code}: ${stderr}`)));
    });
  return {
    pid: child.pid ?? 0,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    ended,
    printed,
    signal: (name) => child.kill(name),
  };
}

/** Creates the settings of a new service with an application whose client secret the test knows. */
export async function newSettings({ flags = [], env = {} }: RunOptions = {}): Promise<ServiceSettings> {
  const [clientId, clientSecret] = ['app_test', randomBytes(32).toString('base64url')];
  const url = await newDatabaseUrl();
  const own = { env: { ...(url !== undefined && { DATABASE_URL: url }), ...env }, flags };
  return { ...own, port: await newPort(), data: newDataFolder(), clientId, clientSecret };
}

/** Starts the service and waits until it is ready. */
export async function startProcess(settings: ServiceSettings): Promise<ServiceProcess> {
  const { port, data, clientId, clientSecret, env = {} } = settings;
  const own = {
    ...RAISED_LIMITS,
    SVC_PORT: String(port),
    SVC_DATA: data,
    SVC_LOG_LEVEL: 'silent',
    SVC_FIRST_CLIENT_ID: clientId,
    SVC_FIRST_CLIENT_SECRET: clientSecret,
  };
  const run = runService({ ...settings, env: { ...own, ...env } });
  await run.printed(READY);
  const kill = async () => {
    run.signal('SIGKILL');
    await run.ended;
  };
  return { ...settings, ...run, url: `http://localhost:${port}`, kill };
}
