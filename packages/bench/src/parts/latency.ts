import type { Bench, Part, Result } from '../part.ts';
import { startPeer } from '../peers/start-peer.ts';
import { runRounds } from '../run-rounds.ts';
import { startServiceTargets, toProxyTarget } from '../start-targets.ts';

const UPSTREAM = 'the upstream itself';
const PROXY = 'ours, proxy';
const TOOL = 'ours, tool';

async function run(bench: Bench): Promise<Result> {
  const { proxy, tool } = await startServiceTargets(bench);
  const floor = await startPeer(bench, './floor.ts');
  const targets = new Map([
    [UPSTREAM, toProxyTarget({ ...floor, port: Number(new URL(bench.upstream.small).port) })],
    ['hand-written floor', toProxyTarget(floor)],
    [PROXY, proxy],
    [TOOL, tool],
  ]);
  const medians = await runRounds(bench, { targets, connections: 1 });
  const p50Of = (name: string) => medians.get(name)?.p50Ms ?? Number.NaN;
  const addedBy = (name: string) => p50Of(name) - p50Of(UPSTREAM);
  return {
    rows: [...medians].map(([name, { p50Ms, p99Ms }]) => ({
      '': name,
      'p50 ms': p50Ms.toFixed(3),
      'p99 ms': p99Ms.toFixed(3),
      'added p50 ms': addedBy(name).toFixed(3),
    })),
    figures: { 'latency.proxyMs': addedBy(PROXY), 'latency.toolMs': addedBy(TOOL) },
  };
}

export const latency: Part = { title: 'Latency that a call adds to the upstream, at one connection', run };
