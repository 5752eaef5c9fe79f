import { setTimeout as wait } from 'node:timers/promises';
import { buildProxyGet } from '../build-requests.ts';
import { startJobProcess } from '../job-process.ts';
import type { Bench, Part, Result, Row } from '../part.ts';
import { PEER_ACCOUNT } from '../peers/settings.ts';
import { type Peer, startPeer } from '../peers/start-peer.ts';
import { cpuNs, memoryMib, resetPeak } from '../process-usage.ts';
import { type Medians, mediansOf } from '../run-rounds.ts';
import type { LoadResult } from '../send-load.ts';
import { connectAccount, createSettings, startService } from '../start-service.ts';
import type { StreamJob, StreamResult } from '../stream-bodies.ts';

const MIB = 2 ** 20;
const READERS = 200;
const CALLERS = 100;
/** Read rate of a slow client in bytes per second, as on a phone with bad reception. */
const SLOW_BYTES_PER_SECOND = 32 * 1024;
const OURS = 'ours';
/**
 * Names of the service's connections that slow readers use. Each connection allows 100 concurrent calls, so four leave
 * room for readers of the previous round that have not disconnected yet.
 */
const SLOW_CONNECTIONS = ['slow-1', 'slow-2', 'slow-3', 'slow-4'];
const ROUNDS = 3;
const ROUND_MS = 1500;
/** Fraction of one core below which a process counts as idle. */
const IDLE_SHARE = 0.15;
const POLL_MS = 250;
const MAX_POLLS = 60;

type Stream = (job: StreamJob) => Promise<StreamResult>;

/** Measured proxy, with the accounts that slow readers use in rotation. */
interface Proxy extends Peer {
  readonly slowAccounts: readonly string[];
}

async function startProxies(bench: Bench): Promise<ReadonlyMap<string, Proxy>> {
  const origin = bench.upstream.large;
  const floor = await startPeer(bench, './floor.ts', origin);
  const settings = await createSettings(bench, { origin, env: { SVC_MAX_UPLOAD: '1024' } });
  const ours = await startService(bench, settings);
  for (const name of ['own', ...SLOW_CONNECTIONS]) await connectAccount(ours, name, origin);
  return new Map([
    ['hand-written floor', { ...floor, slowAccounts: [PEER_ACCOUNT] }],
    [OURS, { ...ours, slowAccounts: SLOW_CONNECTIONS.map((name) => `${name}/user_42`) }],
  ]);
}

const urlOf = ({ port }: Proxy, size: number, account = PEER_ACCOUNT): string =>
  `http://127.0.0.1:${port}/v1/proxy/${account}/v1/${size}`;

interface Transfer extends StreamResult {
  /** Memory growth during the transfer in MiB: the peak minus the memory before the transfer. */
  readonly growth: number;
}

async function measureTransfer(stream: Stream, { pid }: Proxy, job: StreamJob): Promise<Transfer> {
  resetPeak(pid);
  const before = memoryMib(pid, 'now');
  const result = await stream(job);
  return { ...result, growth: memoryMib(pid, 'peak') - before };
}

/**
 * Waits until the socket buffers for the slow readers are full. Until then, the proxy fills megabytes of kernel buffers
 * for each reader, which would count as load.
 */
async function waitUntilIdle(pid: number): Promise<void> {
  for (let poll = 0; poll < MAX_POLLS; poll += 1) {
    const before = cpuNs(pid);
    await wait(POLL_MS);
    if ((cpuNs(pid) - before) / 1e6 < IDLE_SHARE * POLL_MS) return;
  }
}

interface WithReaders {
  readonly alone: Medians;
  readonly withReaders: Medians;
}

/** Measures the requests of fast callers, alternating between rounds without slow readers and rounds with them. */
async function measureWithReaders(
  { load, isQuick }: Bench,
  stream: Stream,
  proxy: Proxy,
): Promise<WithReaders> {
  const { port, pid, token, slowAccounts } = proxy;
  const servers = [{ port, pid, requests: [buildProxyGet('/v1/1024', token)] }];
  const job = { servers, connections: CALLERS, ms: ROUND_MS };
  const calls = Array.from({ length: isQuick ? 4 : READERS }, (_, index) => ({
    url: urlOf(proxy, 256 * MIB, slowAccounts[index % slowAccounts.length]),
    token,
  }));
  const [alone, withReaders]: [LoadResult[], LoadResult[]] = [[], []];
  await load({ ...job, ms: 2 * ROUND_MS });
  for (let round = 0; round < (isQuick ? 1 : ROUNDS); round += 1) {
    alone.push(await load(job));
    await stream({ kind: 'read slowly', calls, bytesPerSecond: SLOW_BYTES_PER_SECOND });
    await waitUntilIdle(pid);
    withReaders.push(await load(job));
    await stream({ kind: 'stop reading' });
  }
  return { alone: mediansOf(alone), withReaders: mediansOf(withReaders) };
}

const toCells = (direction: 'down' | 'up', { bytes, ms, cpuMs, growth }: Transfer) => ({
  [`${direction} MiB/s`]: Math.round(bytes / MIB / (ms / 1000)),
  [`${direction} CPU ms`]: Math.round(cpuMs),
  [`${direction} MiB more`]: growth.toFixed(1),
});

async function run(bench: Bench): Promise<Result> {
  const { run: stream, stop } = startJobProcess<StreamJob, StreamResult>('./stream-bodies.ts');
  bench.defer(stop);
  const size = bench.isQuick ? 16 * MIB : 1024 * MIB;
  const rows: Row[] = [];
  const figures: Record<string, number> = {};
  for (const [name, proxy] of await startProxies(bench)) {
    const { pid, token } = proxy;
    const download = (bytes: number): StreamJob => ({
      kind: 'download',
      pid,
      token,
      url: urlOf(proxy, bytes),
    });
    const upload = (bytes: number): StreamJob => ({
      kind: 'upload',
      pid,
      token,
      url: urlOf(proxy, 0),
      bytes,
    });
    // Transfers smaller bodies first, because they grow the heap to its working size. The measurement then shows only
    // the growth that further bodies cause.
    await stream(download(size / 4));
    await stream(upload(size / 4));
    const down = await measureTransfer(stream, proxy, download(size));
    const up = await measureTransfer(stream, proxy, upload(size));
    const { alone, withReaders } = await measureWithReaders(bench, stream, proxy);
    const rate = (100 * alone.cpuUs) / withReaders.cpuUs;
    rows.push({
      '': name,
      ...toCells('down', down),
      ...toCells('up', up),
      'fast/s': Math.round(alone.perSecond),
      'fast/s with readers': Math.round(withReaders.perSecond),
      'at equal CPU': `${rate.toFixed(0)} %`,
    });
    if (name !== OURS) continue;
    figures['streams.downMib'] = down.growth;
    figures['streams.upMib'] = up.growth;
    figures['streams.withReaders'] = rate;
  }
  return { rows, figures };
}

export const streams: Part = {
  title: '1 GiB down and up, and 100 fast callers with 200 slow readers',
  run,
};
