/** Durations of the SQL statements of the last six seconds. */
export interface StatementTimes {
  readonly statements: number;
  /** 95th percentile of the durations of SQL statements, in milliseconds. 0 if there were no statements. */
  readonly p95Ms: number;
  readonly isSlow: boolean;
}

const WINDOW_MS = 6000;
const MAX_STATEMENTS = 512;
const SLOW_MS = 250;
// Minimum number of SQL statements for which the 95th percentile is meaningful. With fewer statements, the median
// decides whether the database is slow.
const MANY = 20;
const MIN_STATEMENTS = 3;

const quantile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;

/**
 * Creates the functions that measure the durations of recent SQL statements. `now` returns milliseconds since any fixed
 * time.
 */
export function createStatementTimes(now: () => number) {
  const durations = new Float64Array(MAX_STATEMENTS);
  const ends = new Float64Array(MAX_STATEMENTS).fill(Number.NEGATIVE_INFINITY);
  let next = 0;

  /**
   * Records the duration of one SQL statement. `ms`: duration in milliseconds. Allocates no memory, because it runs for
   * each statement.
   */
  function count(ms: number): void {
    durations[next] = ms;
    ends[next] = now();
    next = (next + 1) % MAX_STATEMENTS;
  }

  function read(): StatementTimes {
    const from = now() - WINDOW_MS;
    const recent = [...durations.filter((_, index) => (ends[index] ?? 0) > from)].sort((a, b) => a - b);
    const p95Ms = Math.round(quantile(recent, 0.95));
    const isSlow =
      recent.length >= MANY
        ? p95Ms > SLOW_MS
        : recent.length >= MIN_STATEMENTS && quantile(recent, 0.5) > SLOW_MS;
    return { statements: recent.length, p95Ms, isSlow };
  }

  return { count, read };
}

export type StatementMeter = ReturnType<typeof createStatementTimes>;
