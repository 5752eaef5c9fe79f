/** Load generator. Runs in a separate process, so that it does not share an event loop with the measured program. */
import { connect, type Socket } from 'node:net';
import { handleJobs } from './job-process.ts';
import { cpuNs } from './process-usage.ts';
import { quantile } from './quantile.ts';

export interface LoadServer {
  readonly port: number;
  /**
   * Process id of the measured server, for reading its CPU time. Absent if the upstream is called directly, without a
   * proxy.
   */
  readonly pid?: number;
  /** Raw HTTP requests, which are sent in rotation. */
  readonly requests: readonly string[];
}

/** Program under measurement, with one or several server processes. */
export interface Target {
  readonly servers: readonly LoadServer[];
}

export interface LoadJob extends Target {
  /** Number of connections to each server. Each connection sends one request at a time. */
  readonly connections: number;
  /**
   * Number of requests per second; any response status is then allowed. Default: as many requests as possible, and only
   * status 200 is allowed.
   */
  readonly perSecond?: number;
  readonly ms: number;
}

export interface LoadResult {
  readonly perSecond: number;
  /** CPU time of all measured processes per request, in microseconds. */
  readonly cpuUs: number;
  /** CPU time of the load generator per request, in microseconds. */
  readonly ownCpuUs: number;
  /** Response statuses that arrived, each once. */
  readonly statuses: readonly string[];
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const HEAD_END = '\r\n\r\n';
const STATUS_START = 'HTTP/1.1 '.length;
const STATUS_END = 'HTTP/1.1 200'.length;
const MAX_REPORTED = 2000;

interface CallerOptions {
  readonly nextRequest: () => Buffer;
  /** Returns the time in milliseconds to wait before the next request. */
  readonly nextPause: () => number;
  readonly isExpected: (status: string) => boolean;
  readonly onResponse: (startedAt: number) => void;
  readonly onFailure: (error: Error) => void;
}

const toText = (chunk: Buffer): string => chunk.toString('latin1', 0, MAX_REPORTED);

/**
 * Returns the number of response bytes that follow the first chunk. Returns NaN for an unexpected status or a missing
 * Content-Length.
 */
function remainingBytes(chunk: Buffer, isExpected: CallerOptions['isExpected']): number {
  const end = chunk.indexOf(HEAD_END);
  const head = chunk.toString('latin1', 0, Math.max(end, 0));
  const length = /^content-length: (\d+)$/im.exec(head)?.[1];
  if (length === undefined || !isExpected(head.slice(STATUS_START, STATUS_END))) return Number.NaN;
  return Number(length) - (chunk.length - end - HEAD_END.length);
}

const closesConnection = (chunk: Buffer): boolean => /^connection: close\r$/im.test(toText(chunk));

/**
 * Sends requests over a single connection, one after another. Opens a new connection if the server closes it. Returns a
 * function that stops the requests.
 */
function callRepeatedly(port: number, options: CallerOptions): () => void {
  const { nextRequest, nextPause, isExpected, onResponse, onFailure } = options;
  let socket: Socket;
  let isStopped = false;
  let startedAt = 0;
  let remaining = 0;
  let isClosing = false;

  const send = () => {
    if (isStopped) return void socket.destroy();
    startedAt = performance.now();
    socket.write(nextRequest());
  };
  const sendAfterPause = () => {
    const ms = nextPause();
    if (ms > 0) setTimeout(send, ms);
    else send();
  };
  const onData = (chunk: Buffer) => {
    const isFirst = remaining === 0;
    remaining = isFirst ? remainingBytes(chunk, isExpected) : remaining - chunk.length;
    if (Number.isNaN(remaining)) return onFailure(new Error(`Unexpected response:\n${toText(chunk)}`));
    if (isFirst) isClosing = closesConnection(chunk);
    if (remaining > 0) return;
    onResponse(startedAt);
    if (isStopped) socket.destroy();
    else if (isClosing) open();
    else sendAfterPause();
  };
  const open = () => {
    socket?.destroy();
    socket = connect({ port, host: '127.0.0.1', noDelay: true }, sendAfterPause);
    socket.on('data', onData).on('error', onFailure);
  };
  open();
  return () => {
    isStopped = true;
  };
}

/**
 * Creates a list of durations in a typed array, because a plain array would cause garbage collection during the
 * measurement.
 */
function collectDurations() {
  let durations = new Float64Array(1 << 16);
  let count = 0;
  return {
    add: (startedAt: number) => {
      if (count === durations.length) {
        const larger = new Float64Array(2 * count);
        larger.set(durations);
        durations = larger;
      }
      durations[count] = performance.now() - startedAt;
      count += 1;
    },
    count: () => count,
    values: () => durations.subarray(0, count),
  };
}

function createPauses(perSecond: number | undefined): () => number {
  if (perSecond === undefined) return () => 0;
  let dueAt = performance.now();
  return () => {
    dueAt += 1000 / perSecond;
    return dueAt - performance.now();
  };
}

function rotateRequests(requests: readonly string[]): () => Buffer {
  const bytes = requests.map((text) => Buffer.from(text, 'latin1'));
  let sent = 0;
  return () => {
    sent += 1;
    return bytes[sent % bytes.length] ?? Buffer.alloc(0);
  };
}

function sendLoad({ servers, connections, perSecond, ms }: LoadJob): Promise<LoadResult> {
  const durations = collectDurations();
  const statuses = new Set<string>();
  const isExpected = (status: string) => {
    statuses.add(status);
    return perSecond !== undefined || status === '200';
  };
  const cpu = () => servers.reduce((sum, { pid }) => sum + (pid === undefined ? 0 : cpuNs(pid)), 0);
  const callees = servers.map(({ port, requests }) => ({ port, nextRequest: rotateRequests(requests) }));
  return new Promise((resolve, reject) => {
    const [cpuBefore, ownBefore, startedAt] = [cpu(), process.cpuUsage(), performance.now()];
    const shared = {
      nextPause: createPauses(perSecond),
      isExpected,
      onResponse: durations.add,
      onFailure: reject,
    };
    const stops = Array.from({ length: connections }, () =>
      callees.map(({ port, nextRequest }) => callRepeatedly(port, { ...shared, nextRequest })),
    ).flat();
    const finish = () => {
      // Waits for the first response if none has arrived when the job's time is over, so that the result is never
      // empty.
      if (durations.count() === 0) return void setTimeout(finish, 10);
      const seconds = (performance.now() - startedAt) / 1000;
      const own = process.cpuUsage(ownBefore);
      const values = durations.values().slice();
      resolve({
        perSecond: values.length / seconds,
        cpuUs: (cpu() - cpuBefore) / 1000 / values.length,
        ownCpuUs: (own.user + own.system) / values.length,
        p50Ms: quantile(values, 0.5),
        p99Ms: quantile(values, 0.99),
        statuses: [...statuses],
      });
      for (const stop of stops) stop();
    };
    setTimeout(finish, ms);
  });
}

handleJobs(sendLoad);
