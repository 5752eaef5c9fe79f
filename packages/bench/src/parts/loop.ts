import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Bench, Part, Result } from '../part.ts';
import { startOurs } from '../start-targets.ts';

const PROBE = fileURLToPath(new URL('../loop-probe.ts', import.meta.url));

interface Seen {
  /** The longest that the loop was held. */
  readonly heldMs: number;
  /** With what the process waited for the machine meanwhile. */
  readonly lateMs: number;
}

async function look(pid: number, file: string): Promise<Seen> {
  rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  while (!existsSync(file) || readFileSync(file, 'utf8') === '') await wait(5);
  return JSON.parse(readFileSync(file, 'utf8'));
}

async function run(bench: Bench): Promise<Result> {
  const { load, folder, isQuick } = bench;
  const file = path.join(folder, 'loop.json');
  const ours = await startOurs(bench, { nodeArgs: ['--import', PROBE], env: { BENCH_LOOP_FILE: file } });
  const size = { connections: 32, ms: isQuick ? 100 : 5000 };
  const pid = ours.proxy.servers[0]?.pid ?? 0;
  const rows = [];
  let heldMs = 0;
  for (const [name, target] of Object.entries(ours)) {
    await load({ ...target, ...size, ms: isQuick ? 100 : 2000 });
    await look(pid, file);
    await load({ ...target, ...size });
    const seen = await look(pid, file);
    heldMs = Math.max(heldMs, seen.heldMs);
    rows.push({ '': name, 'held ms': seen.heldMs.toFixed(1), 'late ms': seen.lateMs.toFixed(1) });
  }
  return { rows, figures: { 'loop.heldMs': heldMs } };
}

export const loop: Part = { title: 'How long the event loop was held at most, at 32 connections', run };
