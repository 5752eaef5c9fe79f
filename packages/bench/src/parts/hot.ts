import type { Bench, Part, Result } from '../part.ts';
import { startNginx } from '../peers/nginx.ts';
import { startPeer } from '../peers/start-peer.ts';
import { type Medians, runRounds } from '../run-rounds.ts';
import type { Target } from '../send-load.ts';
import { startPostgresTargets, startServiceTargets, toProxyTarget } from '../start-targets.ts';

const CONNECTIONS = 32;
const FLOOR = 'hand-written floor';
const NODE_PAIR = 'node:http pair';
const REPLY_FROM = 'fastify + reply-from';
const NGINX = 'nginx';
const OURS = 'ours, SQLite';
const TOOL = 'ours, SQLite, tool';
const POSTGRES = 'ours, PostgreSQL';
const FLEET = 'ours, PostgreSQL, 4 processes';
const SEPARATE = 'the same, a database for each';

/** Other Node.js proxies that forward the same request as the hand-written minimal proxy (`FLOOR`). */
const OTHER_NODE_PROGRAMS = [NODE_PAIR, REPLY_FROM, OURS, POSTGRES];

async function startTargets(bench: Bench): Promise<ReadonlyMap<string, Target>> {
  const targets = new Map([
    [FLOOR, toProxyTarget(await startPeer(bench, './floor.ts'))],
    [NODE_PAIR, toProxyTarget(await startPeer(bench, './node-pair.ts'))],
    [REPLY_FROM, toProxyTarget(await startPeer(bench, './fastify.ts'))],
  ]);
  const nginx = await startNginx(bench);
  if (nginx !== undefined) targets.set(NGINX, toProxyTarget(nginx));
  const { proxy, tool } = await startServiceTargets(bench);
  const { one, fleet, separate } = await startPostgresTargets(bench);
  return targets
    .set(OURS, proxy)
    .set(TOOL, tool)
    .set(POSTGRES, one)
    .set(FLEET, fleet)
    .set(SEPARATE, separate);
}

type CpuOf = (name: string) => number;

/**
 * Returns a reason if the measurement is not valid. The hand-written floor is a minimal proxy in Node.js, so it must
 * use the least CPU time. If another Node.js proxy used less, other work on the machine disturbed the measurement.
 */
function checkFloor(cpuOf: CpuOf): string | undefined {
  const format = (name: string) => `${name} ${cpuOf(name).toFixed(1)} µs`;
  // Negates the comparison, so that a missing figure (NaN) counts as less CPU time and makes the run invalid.
  const cheaper = OTHER_NODE_PROGRAMS.filter((name) => !(cpuOf(FLOOR) < cpuOf(name)));
  if (cheaper.length === 0) return undefined;
  const figures = [FLOOR, ...cheaper].map(format).join(', ');
  return `the hand-written floor is not the cheapest Node program (${figures}). Stop other work on the machine, then run it again.`;
}

const toRow = (name: string, medians: Medians, floorUs: number) => ({
  '': name,
  'CPU µs': medians.cpuUs.toFixed(1),
  'of rounds': medians.cpuUsRange.map((us) => us.toFixed(0)).join('–'),
  'over floor': `${(medians.cpuUs / floorUs).toFixed(2)} ×`,
  'requests/s': Math.round(medians.perSecond),
  'p50 ms': medians.p50Ms.toFixed(2),
  'p99 ms': medians.p99Ms.toFixed(2),
  'load CPU µs': medians.ownCpuUs.toFixed(1),
});

/**
 * Builds the result of the benchmark part `hot`. A quick run does not check whether other work disturbed the machine,
 * because the figures of its short rounds vary too much.
 */
export function toHotResult(
  medians: ReadonlyMap<string, Medians>,
  { isQuick }: Pick<Bench, 'isQuick'>,
): Result {
  const cpuOf: CpuOf = (name) => medians.get(name)?.cpuUs ?? Number.NaN;
  return {
    rows: [...medians].map(([name, figures]) => toRow(name, figures, cpuOf(FLOOR))),
    figures: {
      'hot.cpuOverCheapest': cpuOf(OURS) / Math.min(cpuOf(FLOOR), cpuOf(REPLY_FROM)),
      'hot.toolOverProxy': cpuOf(TOOL) / cpuOf(OURS),
      'hot.postgresOverSqlite': cpuOf(POSTGRES) / cpuOf(OURS),
      'hot.fleetPerCore': cpuOf(SEPARATE) / cpuOf(FLEET),
    },
    notes: medians.has(NGINX) ? [] : ['nginx is not installed, so it was left out.'],
    invalid: isQuick ? undefined : checkFloor(cpuOf),
  };
}

async function run(bench: Bench): Promise<Result> {
  const targets = await startTargets(bench);
  return toHotResult(await runRounds(bench, { targets, connections: CONNECTIONS }), bench);
}

export const hot: Part = { title: 'A proxied GET of 1 kB, and a tool call, at 32 connections', run };
