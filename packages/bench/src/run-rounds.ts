import type { Load } from './part.ts';
import { median } from './quantile.ts';
import type { LoadJob, LoadResult } from './send-load.ts';

export interface RoundsOptions {
  readonly load: Load;
  readonly rounds: number;
  readonly warmUpMs: number;
}

const mediansOf = (results: readonly LoadResult[]) => {
  const of = (name: Exclude<keyof LoadResult, 'statuses'>) => median(results.map((result) => result[name]));
  return {
    perSecond: of('perSecond'),
    cpuUs: of('cpuUs'),
    ownCpuUs: of('ownCpuUs'),
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
  };
};
export type Medians = ReturnType<typeof mediansOf>;

/** Runs the jobs in turn, again and again: what else the machine does meets all of them alike. */
export async function alternate(
  jobs: ReadonlyMap<string, LoadJob>,
  { load, rounds, warmUpMs }: RoundsOptions,
): Promise<ReadonlyMap<string, Medians>> {
  const results = new Map<string, LoadResult[]>();
  for (const [name, job] of jobs) {
    await load({ ...job, ms: warmUpMs * Math.max(1, job.servers.length) });
    results.set(name, []);
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, job] of jobs) results.get(name)?.push(await load(job));
  }
  return new Map([...results].map(([name, all]) => [name, mediansOf(all)]));
}
