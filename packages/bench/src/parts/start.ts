import { setTimeout as wait } from 'node:timers/promises';
import type { Bench, Part, Result } from '../part.ts';
import { cpuNs, memoryMib } from '../process-usage.ts';
import { median } from '../quantile.ts';
import type { Measured } from '../start-program.ts';
import { launch, launchByNpm, newSettings } from '../start-service.ts';

const OFF = 'sandbox off';
const ON = 'sandbox on';
const NPM = 'npm start, nothing changed';

interface Start {
  readonly readyMs: number;
  readonly cpuMs: number;
  readonly idleMib: number;
}

async function look(starting: Promise<Measured>, idleMs: number): Promise<Start> {
  const { pid, readyMs, stop } = await starting;
  const cpuMs = cpuNs(pid) / 1e6;
  await wait(idleMs);
  const idleMib = memoryMib(pid, 'now');
  await stop();
  return { readyMs, cpuMs, idleMib };
}

async function run({ folder, isQuick }: Bench): Promise<Result> {
  const settings = await newSettings({ folder });
  const idleMs = isQuick ? 0 : 1000;
  const kinds: Readonly<Record<string, () => Promise<Start>>> = {
    [OFF]: () => look(launch(settings, { folder, flags: [] }), idleMs),
    [ON]: () => look(launch(settings, { folder }), idleMs),
    // Seconds where the build is stale.
    ...(!isQuick && { [NPM]: () => look(launchByNpm(settings, { folder }), 0) }),
  };
  const starts = new Map<string, Start[]>();
  for (let round = 0; round <= (isQuick ? 0 : 3); round += 1) {
    for (const [name, start] of Object.entries(kinds)) {
      const seen = await start();
      // The first start of all makes the database and the keys, and builds what is stale.
      if (round > 0 || isQuick) starts.set(name, [...(starts.get(name) ?? []), seen]);
    }
  }
  const of = (name: string, what: keyof Start) =>
    median((starts.get(name) ?? []).map((start) => start[what]));
  return {
    rows: Object.keys(kinds).map((name) => ({
      '': name,
      'ready ms': of(name, 'readyMs').toFixed(0),
      // Of npm alone: the rest are processes of its own.
      'CPU ms': name === NPM ? '' : of(name, 'cpuMs').toFixed(0),
      'idle MiB': name === NPM ? '' : of(name, 'idleMib').toFixed(0),
    })),
    figures: {
      'start.readyMs': of(OFF, 'readyMs'),
      'start.idleMib': of(OFF, 'idleMib'),
      'start.idleSandboxMib': of(ON, 'idleMib'),
      ...(starts.has(NPM) && { 'start.npmMs': of(NPM, 'readyMs') }),
    },
  };
}

export const start: Part = { title: 'A start, and memory when nothing happens', run };
