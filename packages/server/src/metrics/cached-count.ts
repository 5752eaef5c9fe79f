import { withTimeout } from '../concurrency/with-timeout.js';

export interface CachedCountParts<Counts> {
  /** Counts rows of the database. */
  readonly count: () => Promise<Counts>;
  /** Returns milliseconds since any fixed time. */
  readonly now: () => number;
  /** Called when the count failed. */
  readonly onError: (error: unknown) => void;
}

const MIN_AGE_MS = 15_000;
/**
 * Factor between the duration of a count and the pause until the next one, so that counting uses at most a twentieth of
 * the database's time.
 */
const PAUSE_FACTOR = 20;
/** The metrics leave out a count that is older than the pause between two counts plus this time, in milliseconds. */
const STALE_MS = 60_000;
const WAIT_MS = 1000;

/**
 * Creates a cached count of database rows, which is repeated after a pause. Concurrent scrapes share one count. The
 * count continues if a scrape stops waiting for it.
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
    return counted === undefined ? 0 : Math.max(MIN_AGE_MS, counted.tookMs * PAUSE_FACTOR);
  }

  const isYounger = (ms: number): boolean => counted !== undefined && now() - counted.at < ms;

  return {
    /** Counts again if the pause since the last count is over. Never rejects, and waits at most a second. */
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
    /** Returns the last count. Returns `undefined` if there is none, or if it is too old. */
    read: (): Counts | undefined => (isYounger(pauseMs() + STALE_MS) ? counted?.counts : undefined),
  };
}

export type CachedCount<Counts> = ReturnType<typeof createCachedCount<Counts>>;
