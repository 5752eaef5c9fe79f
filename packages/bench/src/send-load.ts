/** Sends load, in a process of its own: what is measured must not share a loop with who measures. */
import { connect, type Socket } from 'node:net';
import { answerJobs } from './job-process.ts';
import { cpuNs } from './process-usage.ts';
import { quantile } from './quantile.ts';

/** What load goes to. */
export interface LoadServer {
  readonly port: number;
  /** Of the process whose CPU time to take. */
  readonly pid?: number;
  /** As they go on the wire, in turn. */
  readonly requests: readonly string[];
}

/** One request at a time on each connection. */
export interface LoadJob {
  readonly servers: readonly LoadServer[];
  /** To each of them. */
  readonly connections: number;
  /** So many, however they are answered; absent: as many as are answered, all with 200. */
  readonly perSecond?: number;
  readonly ms: number;
}

export interface LoadResult {
  readonly requests: number;
  readonly perSecond: number;
  /** Of the processes measured, for one request. */
  readonly cpuUs: number;
  /** Of this process, for one request. */
  readonly ownCpuUs: number;
  /** The statuses of the answers. */
  readonly statuses: readonly string[];
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const HEAD_END = '\r\n\r\n';
const STATUS_END = 'HTTP/1.1 200'.length;

interface Caller {
  readonly next: () => Buffer;
  /** How long to wait before it. */
  readonly waitMs: () => number;
  readonly onAnswer: (startedAt: number) => void;
  readonly isWanted: (status: string) => boolean;
  readonly onFailure: (error: Error) => void;
}

const textOf = (chunk: Buffer): string => chunk.toString('latin1', 0, 2000);
const unexpected = (chunk: Buffer): Error => new Error(`This answer was not expected:\n${textOf(chunk)}`);

/** What is left of an answer after its first bytes; NaN when it is not wanted, or does not say its length. */
function restOf(chunk: Buffer, isWanted: (status: string) => boolean): number {
  const end = chunk.indexOf(HEAD_END);
  const head = chunk.toString('latin1', 0, Math.max(end, 0));
  const length = /^content-length: (\d+)$/im.exec(head)?.[1];
  if (length === undefined || !isWanted(head.slice('HTTP/1.1 '.length, STATUS_END))) return Number.NaN;
  return Number(length) - (chunk.length - end - HEAD_END.length);
}

const isLast = (chunk: Buffer): boolean => /^connection: close\r$/im.test(textOf(chunk));

/** Keeps one connection busy until it is told to end; opens another where the server closes it. */
function keepCalling(port: number, { next, waitMs, isWanted, onAnswer, onFailure }: Caller): () => void {
  let socket: Socket;
  let isOver = false;
  let startedAt = 0;
  let rest = 0;
  let isClosing = false;

  const send = () => {
    if (isOver) return void socket.destroy();
    startedAt = performance.now();
    socket.write(next());
  };
  const sendInTurn = () => {
    const ms = waitMs();
    if (ms > 0) setTimeout(send, ms);
    else send();
  };
  const onData = (chunk: Buffer) => {
    const isFirst = rest === 0;
    rest = isFirst ? restOf(chunk, isWanted) : rest - chunk.length;
    if (Number.isNaN(rest)) return onFailure(unexpected(chunk));
    if (isFirst) isClosing = isLast(chunk);
    if (rest > 0) return;
    onAnswer(startedAt);
    if (isOver) socket.destroy();
    else if (isClosing) open();
    else sendInTurn();
  };
  const open = () => {
    socket?.destroy();
    socket = connect({ port, host: '127.0.0.1', noDelay: true }, sendInTurn);
    socket.on('data', onData).on('error', onFailure);
  };
  open();
  return () => {
    isOver = true;
  };
}

function collect(): { readonly add: (startedAt: number) => void; readonly times: () => Float64Array } {
  let times = new Float64Array(1 << 16);
  let count = 0;
  return {
    add: (startedAt) => {
      if (count === times.length) {
        const larger = new Float64Array(2 * count);
        larger.set(times);
        times = larger;
      }
      times[count] = performance.now() - startedAt;
      count += 1;
    },
    times: () => times.subarray(0, count),
  };
}

/** Says of one request after the other how long to wait before it. */
function createPace(perSecond: number | undefined): () => number {
  if (perSecond === undefined) return () => 0;
  let due = performance.now();
  return () => {
    due += 1000 / perSecond;
    return due - performance.now();
  };
}

function createWanted(isAny: boolean) {
  const statuses = new Set<string>();
  const isWanted = (status: string) => {
    statuses.add(status);
    return isAny || status === '200';
  };
  return { statuses, isWanted };
}

function createTurns(requests: readonly string[]): () => Buffer {
  const bytes = requests.map((text) => Buffer.from(text, 'latin1'));
  let turn = 0;
  return () => {
    turn += 1;
    return bytes[turn % bytes.length] ?? Buffer.alloc(0);
  };
}

function run({ servers, connections, perSecond, ms }: LoadJob): Promise<LoadResult> {
  const { add, times } = collect();
  const cpu = () => servers.reduce((sum, { pid }) => sum + (pid === undefined ? 0 : cpuNs(pid)), 0);
  const called = servers.map(({ port, requests }) => ({ port, next: createTurns(requests) }));
  const { statuses, isWanted } = createWanted(perSecond !== undefined);
  return new Promise((resolve, reject) => {
    const [before, ownBefore, startedAt] = [cpu(), process.cpuUsage(), performance.now()];
    const each = { waitMs: createPace(perSecond), isWanted, onAnswer: add, onFailure: reject };
    const callers = Array.from({ length: connections }, () =>
      called.map(({ port, next }) => keepCalling(port, { ...each, next })),
    ).flat();
    const end = () => {
      const taken = times().slice();
      // Of nothing there are no figures.
      if (taken.length === 0) return void setTimeout(end, 10);
      const elapsed = performance.now() - startedAt;
      const own = process.cpuUsage(ownBefore);
      resolve({
        requests: taken.length,
        perSecond: taken.length / (elapsed / 1000),
        cpuUs: (cpu() - before) / 1000 / taken.length,
        ownCpuUs: (own.user + own.system) / taken.length,
        p50Ms: quantile(taken, 0.5),
        p99Ms: quantile(taken, 0.99),
        statuses: [...statuses],
      });
      for (const stop of callers) stop();
    };
    setTimeout(end, ms);
  });
}

answerJobs(run);
