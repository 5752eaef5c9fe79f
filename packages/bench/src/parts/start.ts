import { setTimeout as wait } from 'node:timers/promises';
import type { Bench, Part, Result } from '../part.ts';
import { cpuNs, memoryMib } from '../process-usage.ts';
import { median } from '../quantile.ts';
import type { Program } from '../start-program.ts';
import { createSettings, launch, launchByNpm } from '../start-service.ts';

const OFF = 'sandbox off';
const ON = 'sandbox on';
const NPM = 'npm start, nothing changed';
const ROUNDS = 3;
const IDLE_MS = 1000;

interface Start {
  readonly readyMs: number;
  readonly cpuMs: number;
  readonly idleMib: number;
}

async function measure({ pid, readyMs, stop }: Program, idleMs: number): Promise<Start> {
  const cpuMs = cpuNs(pid) / 1e6;
  await wait(idleMs);
  const idleMib = memoryMib(pid, 'now');
  await stop();
  return { readyMs, cpuMs, idleMib };
}

async function run(bench: Bench): Promise<Result> {
  const { isQuick } = bench;
  const settings = await createSettings(bench);
  const idleMs = isQuick ? 0 : IDLE_MS;
  const kinds: Readonly<Record<string, () => Promise<Start>>> = {
    [OFF]: async () => measure(await launch(bench, settings, { isSandboxOn: false }), idleMs),
    [ON]: async () => measure(await launch(bench, settings), idleMs),
    // Omits `npm start` in a quick run, because it may rebuild stale code, which takes seconds.
    ...(!isQuick && { [NPM]: async () => measure(await launchByNpm(bench, settings), 0) }),
  };
  const starts = new Map<string, Start[]>();
  for (let round = 0; round <= (isQuick ? 0 : ROUNDS); round += 1) {
    for (const [name, start] of Object.entries(kinds)) {
      const measured = await start();
      // Ignores the first start, because it creates the database and the keys, and rebuilds stale code.
      if (round > 0 || isQuick) starts.set(name, [...(starts.get(name) ?? []), measured]);
    }
  }
  const medianOf = (name: string, what: keyof Start) =>
    median((starts.get(name) ?? []).map((start) => start[what]));
  return {
    rows: Object.keys(kinds).map((name) => ({
      '': name,
      'ready ms': medianOf(name, 'readyMs').toFixed(0),
      // Omits CPU and memory for `npm start`, because the measured process is npm and the service is its child process.
      'CPU ms': name === NPM ? '' : medianOf(name, 'cpuMs').toFixed(0),
      'idle MiB': name === NPM ? '' : medianOf(name, 'idleMib').toFixed(0),
    })),
    figures: {
      'start.readyMs': medianOf(OFF, 'readyMs'),
      'start.idleMib': medianOf(OFF, 'idleMib'),
      'start.idleSandboxMib': medianOf(ON, 'idleMib'),
      ...(starts.has(NPM) && { 'start.npmMs': medianOf(NPM, 'readyMs') }),
    },
  };
}

export const start: Part = { title: 'Start time and idle memory', run };
