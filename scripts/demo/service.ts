import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

const SERVER = path.join(import.meta.dirname, '../../packages/server/dist/main.js');
const START_LIMIT_MS = 30_000;

export interface ServiceSettings {
  readonly port: number;
  readonly data: string;
  readonly allowedOrigin: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface Service {
  readonly url: string;
  /** Ends the process without a chance to clean up. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

async function end(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

function waitForReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    const timer = setTimeout(
      () => reject(new Error(`The service was not ready in time:\n${output}`)),
      START_LIMIT_MS,
    );
    child.once('exit', (code) => reject(new Error(`The service ended with ${code}:\n${output}`)));
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (!output.includes('is ready on')) return;
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Starts the service as its users do: as a process of its own. */
export async function startService(settings: ServiceSettings): Promise<Service> {
  const child = spawn(process.execPath, [SERVER], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      SVC_PORT: String(settings.port),
      SVC_DATA: settings.data,
      SVC_ALLOWED_ORIGINS: settings.allowedOrigin,
      SVC_FIRST_CLIENT_ID: settings.clientId,
      SVC_FIRST_CLIENT_SECRET: settings.clientSecret,
      SVC_LOG_LEVEL: 'error',
    },
  });
  await waitForReady(child);
  return {
    url: `http://localhost:${settings.port}`,
    kill: () => end(child, 'SIGKILL'),
    stop: () => end(child, 'SIGTERM'),
  };
}
