import type { CountedCalls } from '../storage/execution-statistics-table.js';
import { type ExecutionRow, LATENCY_BOUNDS_MS } from '../storage/schema.js';

/** Calls that began within so long are counted together. */
export const COUNTED_MS = 5 * 60_000;

interface Counting extends CountedCalls {
  calls: number;
  errors: number;
  readonly latencies: number[];
}

/** Whether its caller got something else than what it asked for. */
export const isFailed = ({ status, errorCode }: Pick<ExecutionRow, 'status' | 'errorCode'>): boolean =>
  status >= 400 || errorCode !== null;

const LAST = LATENCY_BOUNDS_MS.length - 1;

function placeOf(durationMs: number): number {
  const place = LATENCY_BOUNDS_MS.findIndex((bound) => durationMs <= bound);
  return place === -1 ? LAST : place;
}

const start = ({ applicationId, connectionName, startedAt }: ExecutionRow): Counting => ({
  applicationId,
  at: startedAt - (startedAt % COUNTED_MS),
  connectionName,
  calls: 0,
  errors: 0,
  latencies: LATENCY_BOUNDS_MS.map(() => 0),
});

/** Sums executions up by application, connection and minutes. */
export function countCalls(executions: readonly ExecutionRow[]): readonly CountedCalls[] {
  const counted = new Map<string, Counting>();
  for (const execution of executions) {
    const { applicationId, connectionName, startedAt } = execution;
    const key = `${applicationId} ${connectionName} ${Math.floor(startedAt / COUNTED_MS)}`;
    const counting = counted.get(key) ?? start(execution);
    counted.set(key, counting);
    const place = placeOf(execution.durationMs);
    counting.calls += 1;
    counting.latencies[place] = (counting.latencies[place] ?? 0) + 1;
    if (isFailed(execution)) counting.errors += 1;
  }
  return [...counted.values()];
}
