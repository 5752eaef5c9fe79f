import { ServiceError } from '../errors.js';
import type { CallCounts, CountedCalls } from '../storage/execution-statistics-table.js';
import { type ExecutionRow, LATENCY_BOUNDS_MS } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import { readMoment } from '../text/read-moment.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Length of a counting interval in milliseconds. Calls that start in one interval are counted together. */
const INTERVAL_MS = 5 * MINUTE_MS;

interface Counting extends CountedCalls {
  calls: number;
  errors: number;
  readonly latencies: number[];
}

const isFailed = ({ status, errorCode }: ExecutionRow): boolean => status >= 400 || errorCode !== null;

function latencyIndex(durationMs: number): number {
  const index = LATENCY_BOUNDS_MS.findIndex((bound) => durationMs <= bound);
  return index === -1 ? LATENCY_BOUNDS_MS.length - 1 : index;
}

const startCounting = ({ applicationId, connectionName, startedAt }: ExecutionRow): Counting => ({
  applicationId,
  at: startedAt - (startedAt % INTERVAL_MS),
  connectionName,
  calls: 0,
  errors: 0,
  latencies: LATENCY_BOUNDS_MS.map(() => 0),
});

/** Counts calls, errors and durations by application, connection and interval. */
export function countCalls(executions: readonly ExecutionRow[]): readonly CountedCalls[] {
  const sums = new Map<string, Counting>();
  for (const execution of executions) {
    const { applicationId, connectionName, startedAt } = execution;
    const key = `${applicationId} ${connectionName} ${Math.floor(startedAt / INTERVAL_MS)}`;
    const counting = sums.get(key) ?? startCounting(execution);
    sums.set(key, counting);
    const index = latencyIndex(execution.durationMs);
    counting.calls += 1;
    counting.latencies[index] = (counting.latencies[index] ?? 0) + 1;
    if (isFailed(execution)) counting.errors += 1;
  }
  return [...sums.values()];
}

export interface StatisticsRequest {
  /** Start of the statistics, such as 2026-11-20 or 2026-11-20T09:00:00Z. */
  readonly from: string;
  readonly to: string;
  readonly connectionName?: string | undefined;
}

export interface StatisticsPoint {
  /** Start time of the interval that this point describes. */
  readonly at: string;
  readonly calls: number;
  readonly errors: number;
  /** Median call duration in milliseconds. `null` if the interval has no calls. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
}

export interface Statistics {
  readonly stepSeconds: number;
  readonly points: readonly StatisticsPoint[];
}

const MAX_POINTS = 200;
/** Allowed lengths of a step in minutes. All of them are multiples of `INTERVAL_MS`. */
const STEPS_MINUTES = [5, 10, 15, 30, 60, 120, 180, 360, 720];

/**
 * Returns the shortest step length that needs at most 200 points. Steps longer than half a day are rounded up to whole
 * days.
 */
function stepOf(lengthMs: number): number {
  const least = lengthMs / (MAX_POINTS - 1);
  const step = STEPS_MINUTES.find((minutes) => minutes * MINUTE_MS >= least);
  return step === undefined ? Math.ceil(least / DAY_MS) * DAY_MS : step * MINUTE_MS;
}

/**
 * Estimates a quantile of the call durations from the histogram, by linear interpolation inside a bucket. `part`:
 * quantile from 0 to 1.
 */
function quantile({ calls, latencies }: CallCounts, part: number): number | null {
  if (calls === 0) return null;
  let before = 0;
  for (const [index, count] of latencies.entries()) {
    if (before + count >= part * calls) {
      const [low, high] = [LATENCY_BOUNDS_MS[index - 1] ?? 0, LATENCY_BOUNDS_MS[index] ?? 0];
      return Math.round(low + ((high - low) * (part * calls - before)) / count);
    }
    before += count;
  }
  return LATENCY_BOUNDS_MS.at(-1) ?? null;
}

function toPoint(at: number, counts: CallCounts): StatisticsPoint {
  const { calls, errors } = counts;
  return {
    at: new Date(at).toISOString(),
    calls,
    errors,
    p50Ms: quantile(counts, 0.5),
    p95Ms: quantile(counts, 0.95),
  };
}

const NO_CALLS: CallCounts = { calls: 0, errors: 0, latencies: [] };

/** Reads the call statistics between two times, as at most 200 points, each for an interval of equal length. */
export async function readStatistics(
  { executionStatistics }: Pick<Storage, 'executionStatistics'>,
  applicationId: string,
  { connectionName, ...request }: StatisticsRequest,
): Promise<Statistics> {
  const [start, to] = [readMoment(request.from), readMoment(request.to)];
  if (start >= to)
    throw new ServiceError('invalid_request', '"from" is not before "to". Send an earlier "from".');
  const stepMs = stepOf(to - start);
  const roundMs = Math.min(stepMs, DAY_MS);
  const from = Math.floor(start / roundMs) * roundMs;
  const sums = await executionStatistics.sum(applicationId, { from, to, stepMs, connectionName });
  const byTime = new Map(sums.map((sum) => [sum.at, sum]));
  const times = Array.from({ length: Math.ceil((to - from) / stepMs) }, (_, index) => from + index * stepMs);
  return {
    stepSeconds: stepMs / 1000,
    points: times.map((at) => toPoint(at, byTime.get(at) ?? NO_CALLS)),
  };
}
