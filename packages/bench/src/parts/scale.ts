import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { buildGet, buildProxyGet } from '../build-requests.ts';
import type { Bench, Part, Result } from '../part.ts';
import { memoryMib } from '../process-usage.ts';
import { median } from '../quantile.ts';
import { runRounds } from '../run-rounds.ts';
import type { Target } from '../send-load.ts';
import { CONNECTION, type Seeded, startSeeded } from '../start-seeded.ts';
import { MAIN, type Service, signIn } from '../start-service.ts';

const FEW = 1000;
const CONNECTIONS = 32;
/**
 * Maximum number of accounts that are called. They are more than the service's caches hold, but few enough that the
 * load generator can keep one prepared request per account in memory.
 */
const MAX_CALLED = 20_000;
const FIRST_CALLS_PER_MS = 2;
const LIST_MS = 400;
const ROTATION_CONNECTIONS = 4;
const ROTATION_ROUND_MS = 1000;
/**
 * Number of measuring rounds with the same access token. A round takes about 1 s, and the token expires after 900 s.
 */
const ROUNDS_PER_TOKEN = 300;
const POLL_MS = 20;

function toTarget({ port, pid, token }: Service, count: number): Target {
  const called = Math.min(count, MAX_CALLED);
  const requests = Array.from({ length: called }, (_, index) =>
    buildProxyGet('/v1/kb', token, `${CONNECTION}/user_${Math.floor((index * count) / called)}`),
  );
  return { servers: [{ port, pid, requests }] };
}

/**
 * Measures list operations of the application API, including a second page of accounts. Returns the 99th percentile of
 * the response time of the slowest operation, in milliseconds.
 */
async function measureLists({ load }: Bench, { call, token, port }: Service): Promise<number> {
  const accounts = `/v1/connections/${CONNECTION}/accounts`;
  const first = await call('GET', `${accounts}?pageSize=5`);
  const { nextPageToken } = first as { readonly nextPageToken: string };
  const paths = [accounts, `${accounts}?pageToken=${nextPageToken}`, '/v1/connections', '/v1/executions'];
  const times: number[] = [];
  for (const path of paths) {
    const servers = [{ port, requests: [buildGet(path, token)] }];
    times.push((await load({ servers, connections: 1, ms: LIST_MS })).p99Ms);
  }
  return Math.max(...times);
}

interface CommandUsage {
  readonly ms: number;
  readonly peakMib: number;
}

/** Runs the command `keys rotate` until it ends. Returns its duration and its maximum memory usage. */
async function runKeysRotate(own: NodeJS.ProcessEnv): Promise<CommandUsage> {
  const startedAt = performance.now();
  const env = { ...process.env, ...own };
  const running = promisify(execFile)(process.execPath, [MAIN, 'keys', 'rotate'], { env });
  const { child } = running;
  let peakMib = 0;
  const poll = setInterval(() => {
    peakMib = Math.max(peakMib, memoryMib(child.pid ?? 0, 'peak'));
  }, POLL_MS);
  child.once('exit', () => clearInterval(poll));
  await running;
  return { ms: performance.now() - startedAt, peakMib };
}

interface Rotation extends CommandUsage {
  /** Response time of calls before the key rotation (99th percentile), in milliseconds. */
  readonly p99BeforeMs: number;
  /** Response time of calls while the root key is rotated (99th percentile), in milliseconds. */
  readonly p99Ms: number;
}

async function measureRotation(
  { load }: Bench,
  { settings, service }: Seeded,
  count: number,
): Promise<Rotation> {
  const createJob = async () => {
    const token = await signIn(settings);
    const { servers } = toTarget({ ...service, token }, count);
    return { servers, connections: ROTATION_CONNECTIONS, ms: ROTATION_ROUND_MS };
  };
  let job = await createJob();
  await load(job);
  const { p99Ms: p99BeforeMs } = await load(job);
  let isOver = false;
  const callUntilOver = async () => {
    const times: number[] = [];
    while (!isOver || times.length === 0) {
      times.push((await load(job)).p99Ms);
      if (times.length % ROUNDS_PER_TOKEN === 0) job = await createJob();
    }
    return median(times);
  };
  const rotate = () =>
    runKeysRotate(settings.env).finally(() => {
      isOver = true;
    });
  const [usage, p99Ms] = await Promise.all([rotate(), callUntilOver()]);
  return { ...usage, p99BeforeMs, p99Ms };
}

async function compare(bench: Bench, few: readonly [number, Seeded], many: readonly [number, Seeded]) {
  const sizes = Object.entries({ few, many });
  const targets = new Map(sizes.map(([name, [count, { service }]]) => [name, toTarget(service, count)]));
  // Calls every account before the measurement, because the first call of an account reads and decrypts its credential.
  for (const { servers } of targets.values()) {
    const ms = (servers[0]?.requests.length ?? 0) / FIRST_CALLS_PER_MS;
    await bench.load({ servers, connections: CONNECTIONS, ms });
  }
  const medians = await runRounds(bench, { targets, connections: CONNECTIONS });
  const measured = [];
  for (const [name, [count, { service, readyMs }]] of sizes) {
    const { cpuUs = Number.NaN, p99Ms = Number.NaN } = medians.get(name) ?? {};
    measured.push({ count, readyMs, cpuUs, p99Ms, listMs: await measureLists(bench, service) });
  }
  return measured;
}

async function run(bench: Bench): Promise<Result> {
  const [manyCount, fewCount] = bench.isQuick ? [100, 10] : [bench.accounts, FEW];
  // Starts the service with many accounts first, because writing the accounts takes so long that the other service's
  // access token would expire.
  const many = [manyCount, await startSeeded(bench, manyCount)] as const;
  const few = [fewCount, await startSeeded(bench, fewCount)] as const;
  const measured = await compare(bench, few, many);
  const { ms, peakMib, p99Ms, p99BeforeMs } = await measureRotation(bench, many[1], manyCount);
  const ratioOf = (what: 'cpuUs' | 'readyMs') =>
    (measured[1]?.[what] ?? Number.NaN) / (measured[0]?.[what] ?? Number.NaN);
  return {
    rows: measured.map((size) => ({
      accounts: size.count.toLocaleString('en'),
      'CPU µs': size.cpuUs.toFixed(1),
      'p99 ms': size.p99Ms.toFixed(2),
      'ready ms': size.readyMs.toFixed(0),
      'slowest list, p99 ms': size.listMs.toFixed(1),
    })),
    figures: {
      'scale.cpuOverFew': ratioOf('cpuUs'),
      'scale.startOverFew': ratioOf('readyMs'),
      'scale.listMs': measured[1]?.listMs ?? Number.NaN,
      'scale.rotateMib': peakMib,
      'scale.rotateP99': p99Ms / p99BeforeMs,
    },
    notes: [
      `keys rotate took ${(ms / 1000).toFixed(1)} s and at most ${peakMib.toFixed(0)} MiB.`,
      `The p99 of calls was ${p99BeforeMs.toFixed(2)} ms before and ${p99Ms.toFixed(2)} ms during the rotation.`,
    ],
  };
}

export const scale: Part = { title: 'Many accounts, compared with 1,000', run };
