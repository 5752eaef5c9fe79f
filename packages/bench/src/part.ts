import type { LoadJob, LoadResult } from './send-load.ts';
import type { Upstream } from './upstream.ts';

/** Settings and helper functions for one part of the benchmark. */
export interface Bench {
  /** A temporary folder, deleted at the end of the run. */
  readonly folder: string;
  readonly load: (job: LoadJob) => Promise<LoadResult>;
  readonly upstream: Upstream;
  /** True for a quick run, which only checks that every part works. Its figures are meaningless. */
  readonly isQuick: boolean;
  /** Number of accounts in the database of the benchmark parts `scale` and `lists`. */
  readonly accounts: number;
  /** Number of logged executions (tool calls) in the database of the benchmark part `lists`. */
  readonly executions: number;
  /** True if the benchmark parts `scale` and `lists` use PostgreSQL instead of SQLite. */
  readonly isOnPostgres: boolean;
  /**
   * Registers a function that frees resources. These functions run at the end of the benchmark part, the last one
   * first.
   */
  readonly defer: (cleanUp: () => Promise<void>) => void;
}

export type Row = Readonly<Record<string, string | number>>;

export interface Result {
  readonly rows: readonly Row[];
  /** Measured figures by their names in bounds.json. */
  readonly figures: Readonly<Record<string, number>>;
  /** Sentences printed below the table. */
  readonly notes?: readonly string[];
  /** Reason why the figures of this part must not be used. */
  readonly invalid?: string | undefined;
}

export interface Part {
  readonly title: string;
  readonly run: (bench: Bench) => Promise<Result>;
}
