/** Sends load, in a process of its own: what is measured must not share a loop with who measures. */
import { connect, type Socket } from 'node:net';
import { answerJobs } from './helper.ts';
import { cpuNs } from './proc.ts';
import { quantile } from './statistics.ts';

/** One request at a time on each connection, the requests in turn. */
export interface LoadJob {
  /** The connections are spread over them. */
  readonly ports: readonly number[];
  /** As they go on the wire. */
  readonly requests: readonly string[];
  readonly connections: number;
  readonly ms: number;
  /** Whose CPU time to take. */
  readonly pids: readonly number[];
}

export interface LoadResult {
  readonly requests: number;
  readonly perSecond: number;
  /** Of the processes measured, for one request. */
  readonly cpuUs: number;
  /** Of this process, for one request. */
  readonly ownCpuUs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const HEAD_END = '\r\n\r\n';

interface Caller {
  readonly next: () => Buffer;
  readonly onAnswer: (startedAt: number) => void;
  readonly onFailure: (error: Error) => void;
}

const textOf = (chunk: Buffer): string => chunk.toString('latin1', 0, 2000);
const unexpected = (chunk: Buffer): Error => new Error(`This answer was not expected:\n${textOf(chunk)}`);

/** What is left of an answer after its first bytes; NaN when it is no success, or does not say its length. */
function restOf(chunk: Buffer): number {
  const end = chunk.indexOf(HEAD_END);
  const head = chunk.toString('latin1', 0, Math.max(end, 0));
  const length = /^content-length: (\d+)$/im.exec(head)?.[1];
  if (length === undefined || !head.startsWith('HTTP/1.1 200 ')) return Number.NaN;
  return Number(length) - (chunk.length - end - HEAD_END.length);
}

const isLast = (chunk: Buffer): boolean => /^connection: close\r$/im.test(textOf(chunk));

/** Keeps one connection busy until it is told to end; opens another where the server closes it. */
function keepCalling(port: number, { next, onAnswer, onFailure }: Caller): () => void {
  let socket: Socket;
  let isOver = false;
  let startedAt = 0;
  let rest = 0;
  let isClosing = false;

  const send = () => {
    startedAt = performance.now();
    socket.write(next());
  };
  const onData = (chunk: Buffer) => {
    const isFirst = rest === 0;
    rest = isFirst ? restOf(chunk) : rest - chunk.length;
    if (Number.isNaN(rest)) return onFailure(unexpected(chunk));
    if (isFirst) isClosing = isLast(chunk);
    if (rest > 0) return;
    onAnswer(startedAt);
    if (isOver) socket.destroy();
    else if (isClosing) open();
    else send();
  };
  const open = () => {
    socket?.destroy();
    socket = connect({ port, host: '127.0.0.1', noDelay: true }, send);
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

function run({ ports, requests, connections, ms, pids }: LoadJob): Promise<LoadResult> {
  const bytes = requests.map((text) => Buffer.from(text, 'latin1'));
  const { add, times } = collect();
  const cpu = () => pids.reduce((sum, pid) => sum + cpuNs(pid), 0);
  let turn = 0;
  const next = () => {
    turn += 1;
    return bytes[turn % bytes.length] ?? Buffer.alloc(0);
  };
  return new Promise((resolve, reject) => {
    const [before, ownBefore, startedAt] = [cpu(), process.cpuUsage(), performance.now()];
    const callers = Array.from({ length: connections }, (_, index) =>
      keepCalling(ports[index % ports.length] ?? 0, { next, onAnswer: add, onFailure: reject }),
    );
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
      });
      for (const stop of callers) stop();
    };
    setTimeout(end, ms);
  });
}

answerJobs(run);
