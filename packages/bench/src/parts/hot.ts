import type { LoadJob } from '../load.ts';
import type { Bench, Part, Result } from '../part.ts';
import { startNginx } from '../peers/nginx.ts';
import { type Peer, type PeerOptions, startPeer } from '../peers/start-peer.ts';
import { proxied, toolCall } from '../requests.ts';
import { alternate, type Medians } from '../rounds.ts';
import { connect, startService } from '../service.ts';

const PATH = '/v1/kb';
const FLOOR = 'hand-written floor';
const OURS = 'ours, SQLite';
const TOOL = 'ours, SQLite, tool';

const PEERS: Readonly<Record<string, (options: PeerOptions) => Promise<Peer | undefined>>> = {
  [FLOOR]: (options) => startPeer('./floor.ts', options),
  'node:http pair': (options) => startPeer('./node-pair.ts', options),
  'fastify + reply-from': (options) => startPeer('./fastify.ts', options),
  nginx: startNginx,
};

type Target = Pick<LoadJob, 'port' | 'pid' | 'requests'>;

async function startOurs({ folder, upstream, defer }: Bench): Promise<Readonly<Record<string, Target>>> {
  const service = await startService({ folder, origins: [upstream.small] });
  defer(service.stop);
  const { id } = await connect(service, 'own', upstream.small);
  const { port, pid, token } = service;
  return {
    [OURS]: { port, pid, requests: [proxied(PATH, token)] },
    [TOOL]: { port, pid, requests: [toolCall(id, token)] },
  };
}

async function startTargets(bench: Bench): Promise<Readonly<Record<string, Target>>> {
  const { folder, upstream, defer } = bench;
  const targets: Record<string, Target> = {};
  for (const [name, start] of Object.entries(PEERS)) {
    const peer = await start({ upstream: upstream.small, folder });
    if (peer === undefined) continue;
    defer(peer.stop);
    const { port, pid, token } = peer;
    targets[name] = { port, pid, requests: [proxied(PATH, token)] };
  }
  return { ...targets, ...(await startOurs(bench)) };
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
  const targets = await startTargets(bench);
  const size = { connections: 32, ms: isQuick ? 50 : 1000 };
  const jobs = Object.entries(targets).map(([name, target]) => [name, { ...target, ...size }] as const);
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
    },
    notes: medians.has('nginx') ? [] : ['nginx is not installed, and was left out.'],
  };
}

export const hot: Part = { title: 'A proxied GET of 1 kB, and a tool call, at 32 connections', run };
