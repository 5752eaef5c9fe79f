import type { Bench } from './part.ts';
import { median } from './quantile.ts';
import type { LoadResult, Target } from './send-load.ts';

const ROUNDS = 5;
const ROUND_MS = 3000;
/**
 * Duration in milliseconds of the load that warms a program up before each round, because V8 discards the compiled code
 * of an idle process.
 */
const WARM_UP_MS = 1000;

type Figure = Exclude<keyof LoadResult, 'statuses'>;

/** Median of each measured figure over all rounds. */
export interface Medians extends Readonly<Record<Figure, number>> {
  /** Lowest and highest CPU time per request of any round, in microseconds. */
  readonly cpuUsRange: readonly [number, number];
}

export function mediansOf(results: readonly LoadResult[]): Medians {
  const valuesOf = (figure: Figure) => results.map((result) => result[figure]);
  const medianOf = (figure: Figure) => median(valuesOf(figure));
  return {
    perSecond: medianOf('perSecond'),
    cpuUs: medianOf('cpuUs'),
    cpuUsRange: [Math.min(...valuesOf('cpuUs')), Math.max(...valuesOf('cpuUs'))],
    ownCpuUs: medianOf('ownCpuUs'),
    p50Ms: medianOf('p50Ms'),
    p99Ms: medianOf('p99Ms'),
  };
}

/**
 * Starts each round with another target, because measuring one target changes the state of the machine for the next
 * one.
 */
function rotate<Item>(items: readonly Item[], round: number): readonly Item[] {
  const first = round % items.length;
  return [...items.slice(first), ...items.slice(0, first)];
}

export interface RoundsOptions {
  readonly targets: ReadonlyMap<string, Target>;
  /** Number of connections to each server process of a target. */
  readonly connections: number;
}

/** Measures every target (one or several server processes) in each round, immediately after warming it up. */
export async function runRounds(
  { load, isQuick }: Pick<Bench, 'load' | 'isQuick'>,
  { targets, connections }: RoundsOptions,
): Promise<ReadonlyMap<string, Medians>> {
  const measured = [...targets].map(([name, { servers }]) => ({
    name,
    job: { servers, connections },
    results: [] as LoadResult[],
  }));
  for (let round = 0; round < (isQuick ? 1 : ROUNDS); round += 1) {
    for (const { job, results } of rotate(measured, round)) {
      // Multiplies the warm-up time by the number of processes, because the processes share the load.
      await load({ ...job, ms: WARM_UP_MS * job.servers.length });
      results.push(await load({ ...job, ms: ROUND_MS }));
    }
  }
  return new Map(measured.map(({ name, results }) => [name, mediansOf(results)]));
}
