import type { Bench, Part, Result } from '../part.ts';
import { startNginx } from '../peers/nginx.ts';
import { startPeer } from '../peers/start-peer.ts';
import { alternate, type Medians } from '../run-rounds.ts';
import { startFloor, startOnPostgres, startOurs, type Target, toTarget } from '../start-targets.ts';

/** To each process. */
const CONNECTIONS = 32;
const FLOOR = 'hand-written floor';
const OURS = 'ours, SQLite';
const TOOL = 'ours, SQLite, tool';
const POSTGRES = 'ours, PostgreSQL';
const FLEET = 'ours, PostgreSQL, 4 processes';
const APART = 'the same, each alone with a database';

async function startTargets(bench: Bench): Promise<ReadonlyMap<string, Target>> {
  const targets = new Map([[FLOOR, toTarget(await startFloor(bench))]]);
  const options = { upstream: bench.upstream.small, folder: bench.folder };
  const others = {
    'node:http pair': () => startPeer('./node-pair.ts', options),
    'fastify + reply-from': () => startPeer('./fastify.ts', options),
    nginx: () => startNginx(options),
  };
  for (const [name, start] of Object.entries(others)) {
    const peer = await start();
    if (peer === undefined) continue;
    bench.defer(peer.stop);
    targets.set(name, toTarget(peer));
  }
  const { proxy, tool } = await startOurs(bench);
  const { one, fleet, apart } = await startOnPostgres(bench);
  return targets.set(OURS, proxy).set(TOOL, tool).set(POSTGRES, one).set(FLEET, fleet).set(APART, apart);
}

const toRow = (name: string, { cpuUs, perSecond, p50Ms, p99Ms, ownCpuUs }: Medians, floorUs: number) => ({
  '': name,
  'CPU µs': cpuUs.toFixed(1),
  'over floor': `${(cpuUs / floorUs).toFixed(2)} ×`,
  'requests/s': Math.round(perSecond),
  'p50 ms': p50Ms.toFixed(2),
  'p99 ms': p99Ms.toFixed(2),
  'load CPU µs': ownCpuUs.toFixed(1),
});

async function run(bench: Bench): Promise<Result> {
  const { load, isQuick } = bench;
  const ms = isQuick ? 50 : 1000;
  const jobs = [...(await startTargets(bench))].map(
    ([name, target]) => [name, { ...target, ms, connections: CONNECTIONS }] as const,
  );
  const medians = await alternate(new Map(jobs), {
    load,
    rounds: isQuick ? 1 : 5,
    warmUpMs: isQuick ? 50 : 1500,
  });
  const cpuOf = (name: string) => medians.get(name)?.cpuUs ?? Number.NaN;
  return {
    rows: [...medians].map(([name, figures]) => toRow(name, figures, cpuOf(FLOOR))),
    figures: {
      'hot.cpuOverFloor': cpuOf(OURS) / cpuOf(FLOOR),
      'hot.toolOverProxy': cpuOf(TOOL) / cpuOf(OURS),
      'hot.postgresOverSqlite': cpuOf(POSTGRES) / cpuOf(OURS),
      'hot.fleetPerCore': cpuOf(APART) / cpuOf(FLEET),
    },
    notes: medians.has('nginx') ? [] : ['nginx is not installed, and was left out.'],
  };
}

export const hot: Part = { title: 'A proxied GET of 1 kB, and a tool call, at 32 connections', run };
