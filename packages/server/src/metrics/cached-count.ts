import { withTimeout } from '../concurrency/with-timeout.js';

export interface CachedCountParts<Counts> {
  /** Counts rows of the database. */
  readonly count: () => Promise<Counts>;
  /** Returns milliseconds since any fixed time. */
  readonly now: () => number;
  /** Called when the count failed. */
  readonly onError: (error: unknown) => void;
}

const LEAST_AGE_MS = 15_000;
/** A count is repeated after this multiple of its own time, so that it uses at most a twentieth of the database. */
const PAUSE_FACTOR = 20;
/**
 * A count is left out of the metrics when it is older than the pause between two counts plus this time, in
 * milliseconds.
 */
const STALE_MS = 60_000;
const WAIT_MS = 1000;

/**
 * Creates a count of rows that is at most as old as the pause between two counts. Concurrent scrapes share one count,
 * which continues after a scrape that stopped waiting for it.
 */
export function createCachedCount<Counts>({ count, now, onError }: CachedCountParts<Counts>) {
  let counted: { readonly counts: Counts; readonly at: number; readonly tookMs: number } | undefined;
  let running: Promise<void> | undefined;

  async function countAll(): Promise<void> {
    const begunAt = now();
    const counts = await count();
    counted = { counts, at: now(), tookMs: now() - begunAt };
  }

  function pauseMs(): number {
    return counted === undefined ? 0 : Math.max(LEAST_AGE_MS, counted.tookMs * PAUSE_FACTOR);
  }

  const isYounger = (ms: number): boolean => counted !== undefined && now() - counted.at < ms;

  return {
    /** Brings the count up to date. Never rejects, and waits at most a second. */
    refresh: async (): Promise<void> => {
      if (isYounger(pauseMs())) return;
      running ??= countAll()
        .catch((error: unknown) => {
          counted = undefined;
          onError(error);
        })
        .finally(() => {
          running = undefined;
        });
      await withTimeout(WAIT_MS, running, () => undefined);
    },
    /** Returns the last count; `undefined` if there is none, or if it is out of date. */
    read: (): Counts | undefined => (isYounger(pauseMs() + STALE_MS) ? counted?.counts : undefined),
  };
}

export type CachedCount<Counts> = ReturnType<typeof createCachedCount<Counts>>;
