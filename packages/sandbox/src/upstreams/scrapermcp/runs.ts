import { randomUUID } from 'node:crypto';
import { type Actor, fullName, type Item, type Outcome, shortId } from './actor.js';

export interface CallOptions {
  readonly memory?: number | undefined;
  readonly timeout?: number | undefined;
  readonly maxItems?: number | undefined;
}

export interface Run {
  readonly id: string;
  readonly actor: Actor;
  readonly input: Item;
  readonly startedAt: number;
  seconds: number;
  outcome: Outcome;
  readonly statusMessage: string | undefined;
  readonly memory: number;
  readonly datasetId: string;
  readonly keyValueStoreId: string;
  readonly requestQueueId: string;
  isAborting: boolean;
  /** Milliseconds by which waiting callers advanced this run, because waiting takes no real time in the sandbox. */
  waitedMs: number;
}

const DEFAULT_MEMORY = 4096;
const GRACE_SECONDS = 30;

type Status = 'RUNNING' | 'ABORTING' | Outcome;

export type Account = ReturnType<typeof createAccount>;

export function createAccount(now: () => number) {
  const runs = new Map<string, Run>();
  const datasets = new Map<string, { run: Run; items: readonly Item[] }>();
  const msLeft = (run: Run) => run.startedAt + run.seconds * 1000 - run.waitedMs - now();
  const status = (run: Run): Status => {
    if (msLeft(run) <= 0) return run.outcome;
    return run.isAborting ? 'ABORTING' : 'RUNNING';
  };
  return {
    start(actor: Actor, input: Item, options: CallOptions = {}): Run {
      const { items, ...work } = actor.run(input);
      const run = createRun(actor, input, { ...work, options, startedAt: now() });
      runs.set(run.id, run);
      datasets.set(run.datasetId, { run, items: items.slice(0, options.maxItems) });
      return run;
    },
    run: (id: string) => runs.get(id),
    runs: () => [...runs.values()],
    /** Aborts a run immediately, or lets it continue for up to 30 seconds if the abort is graceful. */
    abort(run: Run, isGraceful: boolean): void {
      const left = msLeft(run) / 1000;
      if (left <= 0 || run.isAborting) return;
      run.seconds -= isGraceful ? Math.max(0, left - GRACE_SECONDS) : left;
      run.outcome = 'ABORTED';
      run.isAborting = true;
    },
    /** Returns the items of a dataset. They are empty until the run has succeeded. */
    items(datasetId: string): readonly Item[] | undefined {
      const dataset = datasets.get(datasetId);
      if (dataset === undefined) return undefined;
      return status(dataset.run) === 'SUCCEEDED' ? dataset.items : [];
    },
    status,
    /** Advances a run by this many seconds, or to its end. */
    wait(run: Run, seconds: number): void {
      run.waitedMs += Math.max(0, Math.min(seconds * 1000, msLeft(run)));
    },
  };
}

interface NewRun {
  readonly seconds: number;
  readonly outcome?: Outcome;
  readonly statusMessage?: string;
  readonly startedAt: number;
  readonly options: CallOptions;
}

function createRun(actor: Actor, input: Item, { options, ...work }: NewRun): Run {
  const key = randomUUID();
  const { timeout = 0 } = options;
  const timesOut = timeout > 0 && timeout < work.seconds;
  return {
    id: shortId(`run ${key}`),
    actor,
    input,
    startedAt: work.startedAt,
    seconds: timesOut ? timeout : work.seconds,
    outcome: timesOut ? 'TIMED-OUT' : (work.outcome ?? 'SUCCEEDED'),
    statusMessage: timesOut ? `${fullName(actor)} reached its timeout.` : work.statusMessage,
    memory: options.memory ?? DEFAULT_MEMORY,
    datasetId: shortId(`dataset ${key}`),
    keyValueStoreId: shortId(`store ${key}`),
    requestQueueId: shortId(`queue ${key}`),
    isAborting: false,
    waitedMs: 0,
  };
}
