import type { Bench, Part, Result } from '../part.ts';
import { alternate } from '../run-rounds.ts';
import { startFloor, startOurs, toTarget } from '../start-targets.ts';

const BARE = 'the upstream itself';
const PROXY = 'ours, proxy';
const TOOL = 'ours, tool';

async function run(bench: Bench): Promise<Result> {
  const { load, upstream, isQuick } = bench;
  const { proxy, tool } = await startOurs(bench);
  const floor = await startFloor(bench);
  const bare = toTarget({ ...floor, port: Number(new URL(upstream.small).port) });
  const targets = { [BARE]: bare, 'hand-written floor': toTarget(floor), [PROXY]: proxy, [TOOL]: tool };
  const size = { connections: 1, ms: isQuick ? 20 : 400 };
  const jobs = Object.entries(targets).map(([name, target]) => [name, { ...target, ...size }] as const);
  const medians = await alternate(new Map(jobs), {
    load,
    rounds: isQuick ? 1 : 9,
    warmUpMs: isQuick ? 20 : 1500,
  });
  const p50Of = (name: string) => medians.get(name)?.p50Ms ?? Number.NaN;
  const added = (name: string) => p50Of(name) - p50Of(BARE);
  return {
    rows: [...medians].map(([name, { p50Ms, p99Ms }]) => ({
      '': name,
      'p50 ms': p50Ms.toFixed(3),
      'p99 ms': p99Ms.toFixed(3),
      'added p50 ms': added(name).toFixed(3),
    })),
    figures: { 'latency.proxyMs': added(PROXY), 'latency.toolMs': added(TOOL) },
  };
}

export const latency: Part = { title: 'What a call takes longer than without anything between', run };
