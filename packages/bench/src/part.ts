import type { Helper } from './job-process.ts';
import type { LoadJob, LoadResult } from './send-load.ts';
import type { Upstream } from './upstream.ts';

export type Load = Helper<LoadJob, LoadResult>['ask'];

/** What a part works with. */
export interface Bench {
  /** For whatever it writes; removed at the end. */
  readonly folder: string;
  readonly load: Load;
  readonly upstream: Upstream;
  /** Just enough to see that everything runs. */
  readonly isQuick: boolean;
  /** How many the part about many accounts has. */
  readonly accounts: number;
  /** How many of either the part about lists has. */
  readonly listed: { readonly accounts: number; readonly executions: number };
  /** Whether the accounts of those two parts are in a PostgreSQL, and not in a file of SQLite. */
  readonly isOnPostgres: boolean;
  /** Called when the part is over, the last one first. */
  readonly defer: (end: () => Promise<void>) => void;
}

export type Row = Readonly<Record<string, string | number>>;

export interface Result {
  readonly rows: readonly Row[];
  /** By the names in bounds.json. */
  readonly figures: Readonly<Record<string, number>>;
  /** What could not be measured here, and why. */
  readonly notes?: readonly string[];
}

export interface Part {
  readonly title: string;
  readonly run: (bench: Bench) => Promise<Result>;
}
