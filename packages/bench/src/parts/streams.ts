import { setTimeout as wait } from 'node:timers/promises';
import { proxied } from '../build-requests.ts';
import { startHelper } from '../job-process.ts';
import type { Bench, Part, Result, Row } from '../part.ts';
import { PEER_ACCOUNT } from '../peers/settings.ts';
import { type Peer, startPeer } from '../peers/start-peer.ts';
import { cpuNs, forgetPeak, memoryMib } from '../process-usage.ts';
import { median } from '../quantile.ts';
import { connect, newSettings, SANDBOX, startService } from '../start-service.ts';
import type { StreamJob, StreamResult } from '../stream-bodies.ts';

const MIB = 2 ** 20;
const READERS = 200;
const CALLERS = 100;
/** A phone in a bad place. */
const SLOW_BYTES_PER_SECOND = 32 * 1024;
const OURS = 'ours';
/** Share of a core. */
const CALM = 0.15;
const LOOK_MS = 250;
const MOST_LOOKS = 60;

type Stream = (job: StreamJob) => Promise<StreamResult>;

/** Who passes streams on, and the accounts of slow readers: a connection of ours has 100 calls under way at most. */
interface Passer extends Peer {
  readonly slow: readonly string[];
}

async function startPassers(bench: Bench): Promise<ReadonlyMap<string, Passer>> {
  const { folder, upstream, isQuick, defer } = bench;
  const origin = upstream.large;
  const floor = await startPeer('./floor.ts', { upstream: origin, folder });
  defer(floor.stop);
  const settings = await newSettings({ folder, origins: [origin], env: { SVC_MAX_UPLOAD: '1024' } });
  const ours = await startService(settings, { folder, flags: isQuick ? [] : SANDBOX });
  defer(ours.stop);
  for (const name of ['own', 'slow-1', 'slow-2']) await connect(ours, name, origin);
  return new Map([
    ['hand-written floor', { ...floor, slow: [PEER_ACCOUNT] }],
    [OURS, { ...ours, slow: ['slow-1/user_42', 'slow-2/user_42'] }],
  ]);
}

const urlOf = ({ port }: Passer, size: number, account = PEER_ACCOUNT): string =>
  `http://127.0.0.1:${port}/v1/proxy/${account}/v1/${size}`;

interface Transfer extends StreamResult {
  /** MiB of memory more than before, at most. */
  readonly growth: number;
}

async function transfer(stream: Stream, { pid }: Passer, job: StreamJob): Promise<Transfer> {
  forgetPeak(pid);
  const before = memoryMib(pid, 'now');
  const result = await stream(job);
  return { ...result, growth: memoryMib(pid, 'peak') - before };
}

/** When everything on the way to the readers is full: the kernel holds megabytes of each. */
async function whenCalm(pid: number): Promise<void> {
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    const before = cpuNs(pid);
    await wait(LOOK_MS);
    if ((cpuNs(pid) - before) / 1e6 < CALM * LOOK_MS) return;
  }
}

interface Beside {
  readonly alone: number;
  readonly beside: number;
}

/** CPU that a fast call takes, and how many there are a second, alone and beside slow readers, in turns. */
async function besideReaders(
  bench: Bench,
  stream: Stream,
  passer: Passer,
): Promise<Record<'cpuUs' | 'perSecond', Beside>> {
  const { isQuick } = bench;
  const readers = isQuick ? 4 : READERS;
  const job = {
    servers: [{ port: passer.port, pid: passer.pid, requests: [proxied('/v1/1024', passer.token)] }],
    connections: isQuick ? 2 : CALLERS,
    ms: isQuick ? 50 : 1500,
  };
  const calls = Array.from({ length: readers }, (_, index) => ({
    url: urlOf(passer, 256 * MIB, passer.slow[index % passer.slow.length]),
    token: passer.token,
  }));
  const [alone, beside] = [[await bench.load(job)], [await bench.load(job)]];
  for (let round = 0; round < (isQuick ? 1 : 3); round += 1) {
    alone.push(await bench.load(job));
    await stream({ kind: 'read slowly', calls, bytesPerSecond: SLOW_BYTES_PER_SECOND });
    await whenCalm(passer.pid);
    beside.push(await bench.load(job));
    await stream({ kind: 'stop reading' });
  }
  const of = (name: 'cpuUs' | 'perSecond'): Beside => ({
    alone: median(alone.slice(1).map((result) => result[name])),
    beside: median(beside.slice(1).map((result) => result[name])),
  });
  return { cpuUs: of('cpuUs'), perSecond: of('perSecond') };
}

const toCells = (what: string, { bytes, ms, cpuMs, growth }: Transfer) => ({
  [`${what} MiB/s`]: Math.round(bytes / MIB / (ms / 1000)),
  [`${what} CPU ms`]: Math.round(cpuMs),
  [`${what} MiB more`]: growth.toFixed(1),
});

async function run(bench: Bench): Promise<Result> {
  const helper = startHelper<StreamJob, StreamResult>('./stream-bodies.ts');
  bench.defer(helper.stop);
  const size = bench.isQuick ? 16 * MIB : 1024 * MIB;
  const rows: Row[] = [];
  const figures: Record<string, number> = {};
  for (const [name, passer] of await startPassers(bench)) {
    const { pid, token } = passer;
    const downloadOf = (bytes: number): StreamJob => ({
      kind: 'download',
      pid,
      token,
      url: urlOf(passer, bytes),
    });
    const uploadOf = (bytes: number): StreamJob => ({
      kind: 'upload',
      pid,
      token,
      url: urlOf(passer, 0),
      bytes,
    });
    // Until its heap has its size: what grows is what one body more takes.
    await helper.ask(downloadOf(size / 4));
    await helper.ask(uploadOf(size / 4));
    const down = await transfer(helper.ask, passer, downloadOf(size));
    const up = await transfer(helper.ask, passer, uploadOf(size));
    const { cpuUs, perSecond } = await besideReaders(bench, helper.ask, passer);
    const rate = (100 * cpuUs.alone) / cpuUs.beside;
    rows.push({
      '': name,
      ...toCells('down', down),
      ...toCells('up', up),
      'fast/s': Math.round(perSecond.alone),
      'fast/s beside': Math.round(perSecond.beside),
      'at equal CPU': `${rate.toFixed(0)} %`,
    });
    if (name !== OURS) continue;
    figures['streams.downMib'] = down.growth;
    figures['streams.upMib'] = up.growth;
    figures['streams.besideReaders'] = rate;
  }
  return { rows, figures };
}

export const streams: Part = {
  title: '1 GiB down and up, and 100 fast callers beside 200 slow readers',
  run,
};
