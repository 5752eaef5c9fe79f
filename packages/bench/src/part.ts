import type { LoadJob, LoadResult } from './send-load.ts';
import type { Upstream } from './upstream.ts';

/** Settings and helper functions for one part of the benchmark. */
export interface Bench {
  /** Temporary folder for the benchmark's files. It is deleted at the end of the run. */
  readonly folder: string;
  readonly load: (job: LoadJob) => Promise<LoadResult>;
  readonly upstream: Upstream;
  /** True for a quick run, which only checks that every benchmark part works. Its figures are meaningless. */
  readonly isQuick: boolean;
  /** Number of accounts in the database of the benchmark parts `scale` and `lists`. */
  readonly accounts: number;
  /** Number of logged executions (tool calls) in the database of the benchmark part `lists`. */
  readonly executions: number;
  /** True if the benchmark parts `scale` and `lists` use PostgreSQL instead of SQLite. */
  readonly isOnPostgres: boolean;
  /**
   * Registers a function that frees resources. The registered functions run at the end of the benchmark part, the last
   * one first.
   */
  readonly defer: (cleanUp: () => Promise<void>) => void;
}

export type Row = Readonly<Record<string, string | number>>;

export interface Result {
  readonly rows: readonly Row[];
  /** Measured figures, keyed by their names in bounds.json. */
  readonly figures: Readonly<Record<string, number>>;
  /** Sentences to print below the table of results. */
  readonly notes?: readonly string[];
  /** Reason why the figures of this benchmark part are not valid. Absent if they are valid. */
  readonly invalid?: string | undefined;
}

export interface Part {
  readonly title: string;
  readonly run: (bench: Bench) => Promise<Result>;
}
