import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Bench, Part, Result } from '../part.ts';
import { startServiceTargets } from '../start-targets.ts';

const PROBE = fileURLToPath(new URL('../loop-probe.ts', import.meta.url));
const CONNECTIONS = 32;
const WARM_UP_MS = 2000;
const MEASURED_MS = 5000;

interface Delays {
  /** Longest time in milliseconds for which the program blocked its event loop. */
  readonly blockedMs: number;
  /** Longest delay of a timer in milliseconds, including time in which the kernel ran other threads. */
  readonly lateMs: number;
}

/**
 * Signals the measured process to write its longest event-loop delays since the last call to `file`, and reads them.
 */
async function readDelays(pid: number, file: string): Promise<Delays> {
  rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  while (!existsSync(file) || readFileSync(file, 'utf8') === '') await wait(5);
  return JSON.parse(readFileSync(file, 'utf8'));
}

async function run(bench: Bench): Promise<Result> {
  const file = path.join(bench.folder, 'loop.json');
  const nodeArgs = ['--import', PROBE];
  const targets = await startServiceTargets(bench, { nodeArgs, env: { BENCH_LOOP_FILE: file } });
  const pid = targets.proxy.servers[0]?.pid ?? 0;
  const rows = [];
  let longestMs = 0;
  for (const [name, { servers }] of Object.entries(targets)) {
    await bench.load({ servers, connections: CONNECTIONS, ms: WARM_UP_MS });
    await readDelays(pid, file);
    await bench.load({ servers, connections: CONNECTIONS, ms: MEASURED_MS });
    const { blockedMs, lateMs } = await readDelays(pid, file);
    longestMs = Math.max(longestMs, blockedMs);
    rows.push({ '': name, 'blocked ms': blockedMs.toFixed(1), 'late ms': lateMs.toFixed(1) });
  }
  return { rows, figures: { 'loop.blockedMs': longestMs } };
}

export const loop: Part = {
  title: 'The longest time that the event loop was blocked, at 32 connections',
  run,
};
