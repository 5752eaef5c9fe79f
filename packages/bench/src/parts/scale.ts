import { get, proxied } from '../build-requests.ts';
import { runCommand } from '../command.ts';
import type { Bench, Part, Result } from '../part.ts';
import { median } from '../quantile.ts';
import { alternate } from '../run-rounds.ts';
import type { LoadJob } from '../send-load.ts';
import { CONNECTION, type Seeded, startSeeded } from '../start-seeded.ts';
import { MAIN, type Service, signIn } from '../start-service.ts';

const FEW = 1000;
/** More than a cache of the service may hold, and few enough to tell the sender of the load of each. */
const MOST_IN_USE = 20_000;
const FIRST_PER_MS = 2;
/** A second each. */
const LOADS_OF_TOKEN = 300;

function loadOf({ port, pid, token }: Service, count: number, isQuick: boolean): LoadJob {
  const inUse = Math.min(count, isQuick ? 10 : MOST_IN_USE);
  const requests = Array.from({ length: inUse }, (_, index) =>
    proxied('/v1/kb', token, `${CONNECTION}/user_${Math.floor((index * count) / inUse)}`),
  );
  return { servers: [{ port, pid, requests }], connections: isQuick ? 2 : 32, ms: isQuick ? 50 : 1000 };
}

/** The slowest of the lists that an application reads; of the longest the second page too. */
async function slowestList({ load, isQuick }: Bench, { call, token, port }: Service): Promise<number> {
  const accounts = `/v1/connections/${CONNECTION}/accounts`;
  const first = await call('GET', `${accounts}?pageSize=5`);
  const { nextPageToken } = first as { readonly nextPageToken: string };
  const paths = [accounts, `${accounts}?pageToken=${nextPageToken}`, '/v1/connections', '/v1/executions'];
  const times: number[] = [];
  for (const path of paths) {
    const servers = [{ port, requests: [get(path, token)] }];
    const job = { servers, connections: 1, ms: isQuick ? 20 : 400 };
    times.push((await load(job)).p99Ms);
  }
  return Math.max(...times);
}

interface Rotation {
  readonly ms: number;
  readonly peakMib: number;
  /** Of calls before it and meanwhile. */
  readonly p99BeforeMs: number;
  readonly p99Ms: number;
}

async function rotate(
  { load, isQuick }: Bench,
  { settings, service }: Seeded,
  count: number,
): Promise<Rotation> {
  const signedIn = async () => {
    const token = await signIn(settings);
    return { ...loadOf({ ...service, token }, count, isQuick), connections: 4 };
  };
  let calls = await signedIn();
  await load(calls);
  const { p99Ms: p99BeforeMs } = await load(calls);
  const { isOver, ran } = runCommand([MAIN, 'keys', 'rotate'], settings.env);
  const times: number[] = [];
  while (!isOver() || times.length === 0) {
    times.push((await load(calls)).p99Ms);
    if (times.length % LOADS_OF_TOKEN === 0) calls = await signedIn();
  }
  return { ...(await ran), p99BeforeMs, p99Ms: median(times) };
}

async function compare(bench: Bench, few: readonly [number, Seeded], many: readonly [number, Seeded]) {
  const { load, isQuick } = bench;
  const sizes = Object.entries({ few, many });
  const jobs = sizes.map(([name, [count, { service }]]) => [name, loadOf(service, count, isQuick)] as const);
  // Until each account was called: a first call costs a read and a decryption, however many accounts there are.
  for (const [, job] of isQuick ? [] : jobs)
    await load({ ...job, ms: (job.servers[0]?.requests.length ?? 0) / FIRST_PER_MS });
  const medians = await alternate(new Map(jobs), {
    load,
    rounds: isQuick ? 1 : 5,
    warmUpMs: isQuick ? 50 : 2000,
  });
  const seen = [];
  for (const [name, [count, { service, readyMs }]] of sizes) {
    const { cpuUs = Number.NaN, p99Ms = Number.NaN } = medians.get(name) ?? {};
    seen.push({ count, readyMs, cpuUs, p99Ms, listMs: await slowestList(bench, service) });
  }
  return seen;
}

async function run(bench: Bench): Promise<Result> {
  const { isQuick, accounts } = bench;
  const count = isQuick ? 100 : accounts;
  // The many first: a token of the few would end while a million are put there.
  const many = [count, await startSeeded(bench, count)] as const;
  const few = [isQuick ? 10 : FEW, await startSeeded(bench, isQuick ? 10 : FEW)] as const;
  const seen = await compare(bench, few, many);
  const { ms, peakMib, p99Ms, p99BeforeMs } = await rotate(bench, many[1], count);
  const over = (what: 'cpuUs' | 'readyMs') =>
    (seen[1]?.[what] ?? Number.NaN) / (seen[0]?.[what] ?? Number.NaN);
  return {
    rows: seen.map((size) => ({
      accounts: size.count.toLocaleString('en'),
      'CPU µs': size.cpuUs.toFixed(1),
      'p99 ms': size.p99Ms.toFixed(2),
      'ready ms': size.readyMs.toFixed(0),
      'slowest list, p99 ms': size.listMs.toFixed(1),
    })),
    figures: {
      'scale.cpuOverFew': over('cpuUs'),
      'scale.startOverFew': over('readyMs'),
      'scale.listMs': seen[1]?.listMs ?? Number.NaN,
      'scale.rotateMib': peakMib,
      'scale.rotateP99': p99Ms / p99BeforeMs,
    },
    notes: [
      `keys rotate took ${(ms / 1000).toFixed(1)} s and ${peakMib.toFixed(0)} MiB at most;`,
      `the p99 of calls was ${p99BeforeMs.toFixed(2)} ms before, and ${p99Ms.toFixed(2)} ms meanwhile.`,
    ],
  };
}

export const scale: Part = { title: 'Many accounts over 1,000', run };
