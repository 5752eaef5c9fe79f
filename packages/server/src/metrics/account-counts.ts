import { withTimeout } from '../concurrency/with-timeout.js';
import type { AccountCount, AccountPosition } from '../storage/account-counts-table.js';
import type { Storage } from '../storage/storage.js';

export interface AccountCountsParts {
  readonly storage: Pick<Storage, 'accountCounts'>;
  /** Returns milliseconds since any fixed time. */
  readonly now: () => number;
  /** Called when the accounts could not be counted. */
  readonly onError: (error: unknown) => void;
}

/**
 * Maximum number of accounts that one SQL statement counts. In SQLite a statement blocks all others, for about 5 ms
 * with this number.
 */
const SLICE = 10_000;
const LEAST_AGE_MS = 15_000;
/** A count is repeated after this multiple of its own time, so that it uses at most a twentieth of the database. */
const PAUSE_FACTOR = 20;
/**
 * A count is left out of the metrics when it is older than the pause between two counts plus this time, in
 * milliseconds.
 */
const STALE_MS = 60_000;
const WAIT_MS = 1000;

const keyOf = ({ connector, status }: AccountCount): string => `${connector} ${status}`;

/**
 * Creates the count of all accounts by connector and status. Concurrent scrapes share one count, which continues after
 * a scrape that stopped waiting for it.
 */
export function createAccountCounts({ storage, now, onError }: AccountCountsParts) {
  let counted:
    | { readonly counts: readonly AccountCount[]; readonly at: number; readonly tookMs: number }
    | undefined;
  let running: Promise<void> | undefined;

  async function countAll(): Promise<void> {
    const begunAt = now();
    const sums = new Map<string, AccountCount>();
    for (let after: AccountPosition | undefined, isMore = true; isMore; ) {
      const slice = await storage.accountCounts.countSlice(after, SLICE);
      for (const found of slice.counts) {
        const count = (sums.get(keyOf(found))?.count ?? 0) + found.count;
        sums.set(keyOf(found), { ...found, count });
      }
      after = slice.last;
      isMore = after !== undefined;
    }
    counted = { counts: [...sums.values()], at: now(), tookMs: now() - begunAt };
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
    /** Returns the last count. Empty if there is none, or if it is out of date. */
    read: (): readonly AccountCount[] => (isYounger(pauseMs() + STALE_MS) ? (counted?.counts ?? []) : []),
  };
}

export type AccountCounts = ReturnType<typeof createAccountCounts>;
