import { ServiceError } from '../errors.js';
import type { CallCounts } from '../storage/execution-statistics-table.js';
import { LATENCY_BOUNDS_MS } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import { readMoment } from '../text/read-moment.js';

export interface StatisticsRequest {
  /** A moment, such as 2026-11-20 or 2026-11-20T09:00:00Z. */
  readonly from: string;
  readonly to: string;
  readonly connectionName?: string | undefined;
}

export interface StatisticsPoint {
  /** When it begins. */
  readonly at: string;
  readonly calls: number;
  readonly errors: number;
  /** Half of the calls took no longer; `null` when there was none. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
}

export interface Statistics {
  readonly stepSeconds: number;
  readonly points: readonly StatisticsPoint[];
}

const MOST_POINTS = 200;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** What people count in; all of them are multiples of the time in which calls are counted together. */
const STEPS_MINUTES = [5, 10, 15, 30, 60, 120, 180, 360, 720];

/** As small as so many points allow; beyond half a day, in days. */
function stepOf(lengthMs: number): number {
  const least = lengthMs / (MOST_POINTS - 1);
  const step = STEPS_MINUTES.find((minutes) => minutes * MINUTE_MS >= least);
  return step === undefined ? Math.ceil(least / DAY_MS) * DAY_MS : step * MINUTE_MS;
}

/** The time that so large a part of the calls did not exceed, as far as their counts tell. */
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

const NONE: CallCounts = { calls: 0, errors: 0, latencies: [] };

/** What executions came to between two moments, in at most 200 steps. */
export async function readStatistics(
  { executionStatistics }: Pick<Storage, 'executionStatistics'>,
  applicationId: string,
  { connectionName, ...request }: StatisticsRequest,
): Promise<Statistics> {
  const [wanted, to] = [readMoment(request.from), readMoment(request.to)];
  if (wanted >= to)
    throw new ServiceError('invalid_request', 'The moment "from" must be before the moment "to".');
  const stepMs = stepOf(to - wanted);
  const roundMs = Math.min(stepMs, DAY_MS);
  const from = Math.floor(wanted / roundMs) * roundMs;
  const sums = await executionStatistics.sum(applicationId, { from, to, stepMs, connectionName });
  const byTime = new Map(sums.map((sum) => [sum.at, sum]));
  const times = Array.from({ length: Math.ceil((to - from) / stepMs) }, (_, index) => from + index * stepMs);
  return {
    stepSeconds: stepMs / 1000,
    points: times.map((at) => toPoint(at, byTime.get(at) ?? NONE)),
  };
}
