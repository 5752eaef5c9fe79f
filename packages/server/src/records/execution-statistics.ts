import { ServiceError } from '../errors.js';
import type { CallCounts, CountedCalls } from '../storage/execution-statistics-table.js';
import { isFailed } from '../storage/executions-table.js';
import { type ExecutionRow, LATENCY_BOUNDS_MS } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import { readMoment } from '../text/read-moment.js';
import type { WrittenExecution } from './count-refusals.js';
import { type ExecutionFacts, findExecutions } from './find-executions.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/**
 * Length in milliseconds of the intervals in which calls are counted. Calls that start in one interval share one row of
 * counters.
 */
const INTERVAL_MS = 5 * MINUTE_MS;

interface Counting extends CountedCalls {
  calls: number;
  errors: number;
  readonly latencies: number[];
}

function latencyIndex(durationMs: number): number {
  const index = LATENCY_BOUNDS_MS.findIndex((bound) => durationMs <= bound);
  return index === -1 ? LATENCY_BOUNDS_MS.length - 1 : index;
}

/**
 * Returns the connection name under which the statistics count a call. Calls to connections that do not exist get an
 * empty name, because callers could otherwise fill the table with invented names.
 */
const countedName = ({ accountId, connectionName, errorCode }: ExecutionRow): string =>
  accountId === null && errorCode !== 'account_not_authorized' ? '' : connectionName;

const startCounting = (execution: ExecutionRow): Counting => ({
  applicationId: execution.applicationId,
  at: execution.startedAt - (execution.startedAt % INTERVAL_MS),
  connectionName: countedName(execution),
  calls: 0,
  errors: 0,
  latencies: LATENCY_BOUNDS_MS.map(() => 0),
});

/** Sums up calls, errors and durations of executions by application, connection and five-minute interval. */
export function countCalls(executions: readonly WrittenExecution[]): readonly CountedCalls[] {
  const sums = new Map<string, Counting>();
  for (const execution of executions) {
    const { applicationId, startedAt, added = execution.count } = execution;
    const key = `${applicationId} ${countedName(execution)} ${Math.floor(startedAt / INTERVAL_MS)}`;
    const counting = sums.get(key) ?? startCounting(execution);
    sums.set(key, counting);
    const index = latencyIndex(execution.durationMs);
    counting.calls += added;
    counting.latencies[index] = (counting.latencies[index] ?? 0) + added;
    if (isFailed(execution)) counting.errors += added;
  }
  return [...sums.values()];
}

export interface StatisticsRequest extends ExecutionFacts {
  /** Start of the statistics, such as 2026-11-20 or 2026-11-20T09:00:00Z. */
  readonly from: string;
  readonly to: string;
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
  /** Start time of the oldest counted execution, if older executions of the period were not counted. */
  readonly countedFrom?: string;
  readonly points: readonly StatisticsPoint[];
}

const MAX_POINTS = 200;
/** Allowed lengths of a statistics interval in minutes. All of them are multiples of `INTERVAL_MS`. */
const STEPS_MINUTES = [5, 10, 15, 30, 60, 120, 180, 360, 720];

/**
 * Returns the shortest interval length in milliseconds that divides the period into at most 200 intervals. Intervals
 * longer than half a day become whole days.
 */
function stepOf(lengthMs: number): number {
  const least = lengthMs / (MAX_POINTS - 1);
  const step = STEPS_MINUTES.find((minutes) => minutes * MINUTE_MS >= least);
  return step === undefined ? Math.ceil(least / DAY_MS) * DAY_MS : step * MINUTE_MS;
}

/**
 * Estimates a quantile of the call durations from their histogram, by linear interpolation inside a bucket. `part` is
 * the quantile from 0 to 1, such as 0.95.
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

/** Maximum number of executions that are counted one by one, for filters without stored counters. */
const MAX_COUNTED = 10_000;

interface Period {
  readonly from: number;
  readonly to: number;
  readonly stepMs: number;
}

interface Counts {
  readonly sums: readonly (CallCounts & { readonly at: number })[];
  readonly countedFrom?: number | undefined;
}

const addCounts = (one: CallCounts, other: CallCounts): CallCounts => ({
  calls: one.calls + other.calls,
  errors: one.errors + other.errors,
  latencies: other.latencies.map((count, index) => count + (one.latencies[index] ?? 0)),
});

/**
 * Counts stored executions one by one, the newest first. The stored counters cannot be used, because they know no
 * filter except the connection.
 */
async function countFiltered(
  storage: Pick<Storage, 'accounts' | 'executions'>,
  applicationId: string,
  { period: { from, to, stepMs }, facts }: { readonly period: Period; readonly facts: ExecutionFacts },
): Promise<Counts> {
  const query = { ...facts, since: from, until: to, limit: MAX_COUNTED };
  const { rows, searchedTo } = await findExecutions(storage, applicationId, query);
  const sums = new Map<number, CallCounts>();
  for (const counted of countCalls(rows)) {
    const at = from + Math.max(0, Math.floor((counted.at - from) / stepMs)) * stepMs;
    sums.set(at, addCounts(sums.get(at) ?? NO_CALLS, counted));
  }
  const last = rows.length === MAX_COUNTED ? rows.at(-1) : searchedTo;
  return { sums: [...sums].map(([at, counts]) => ({ at, ...counts })), countedFrom: last?.startedAt };
}

async function count(
  storage: StatisticsStorage,
  applicationId: string,
  given: { readonly period: Period; readonly facts: ExecutionFacts },
): Promise<Counts> {
  const { connectionName, ...others } = given.facts;
  const isFiltered = Object.values(others).some((value) => value !== undefined && value !== false);
  if (isFiltered) return countFiltered(storage, applicationId, given);
  return { sums: await storage.executionStatistics.sum(applicationId, { ...given.period, connectionName }) };
}

type StatisticsStorage = Pick<Storage, 'accounts' | 'executions' | 'executionStatistics'>;

/**
 * Reads the call statistics between two times, as at most 200 points for intervals of equal length. With any filter
 * except the connection, at most the newest 10,000 executions are counted.
 */
export async function readStatistics(
  storage: StatisticsStorage,
  applicationId: string,
  { from: since, to: until, ...facts }: StatisticsRequest,
): Promise<Statistics> {
  const [start, to] = [readMoment(since), readMoment(until)];
  if (start >= to)
    throw new ServiceError('invalid_request', '"from" is not before "to". Send an earlier "from".');
  const stepMs = stepOf(to - start);
  const roundMs = Math.min(stepMs, DAY_MS);
  const from = Math.floor(start / roundMs) * roundMs;
  const { sums, countedFrom } = await count(storage, applicationId, { period: { from, to, stepMs }, facts });
  const byTime = new Map(sums.map((sum) => [sum.at, sum]));
  const times = Array.from({ length: Math.ceil((to - from) / stepMs) }, (_, index) => from + index * stepMs);
  return {
    stepSeconds: stepMs / 1000,
    ...(countedFrom !== undefined && { countedFrom: new Date(countedFrom).toISOString() }),
    points: times.map((at) => toPoint(at, byTime.get(at) ?? NO_CALLS)),
  };
}
