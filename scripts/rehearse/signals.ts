import assert from 'node:assert/strict';
import { freePort } from '../free-port.ts';
import type { Registry } from './registry.ts';
import type { Tools } from './tools.ts';
import { newFolder, run, start, waitFor, writeFiles } from './workplace.ts';

const LIMIT_MS = 5000;
const POLL_MS = 50;

async function isListening(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/healthz`).then(
    () => true,
    () => false,
  );
}

/** Starts a service by a command, sends SIGTERM to this command, and returns after how long the service ended. */
async function stopMs(cwd: string, args: readonly string[], env: Registry['env']): Promise<number> {
  const port = await freePort();
  const child = start(process.execPath, args, {
    cwd,
    env: { ...env, SVC_PORT: String(port), SVC_DATA: `data-${port}` },
  });
  await waitFor(child, /is ready on/);
  const sentAt = performance.now();
  child.kill('SIGTERM');
  while (await isListening(port)) {
    assert.ok(performance.now() - sentAt < LIMIT_MS, `${args.join(' ')} runs on after SIGTERM`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return performance.now() - sentAt;
}

/** Sends SIGTERM to the binary of an installed service and to npx. The service must end in both cases. */
export async function stopBySignal({ find }: Tools, { env }: Registry): Promise<string> {
  const npm = (script: string) => find(`npm/bin/${script}-cli.js`) ?? script;
  const cwd = newFolder('signals');
  writeFiles(cwd, { 'package.json': { private: true } });
  await run(process.execPath, [npm('npm'), 'install', '--no-audit', '--no-fund', '@svc/server'], {
    cwd,
    env,
  });
  const binary = await stopMs(cwd, ['node_modules/.bin/svc-server'], env);
  const npx = await stopMs(cwd, [npm('npx'), 'svc-server'], env);
  return `the binary ended after ${Math.round(binary)} ms, npx after ${Math.round(npx)} ms`;
}
