import { type AgeName, EXECUTION_RULE, INDEXED_RULES } from '../storage/retention-rules.js';
import type { Storage } from '../storage/storage.js';

/** Retention times in milliseconds. Older rows are deleted. */
export type Ages = Readonly<Record<AgeName, number>>;

const DAY_MS = 24 * 3_600_000;

/** Converts the retention times of the settings from days to milliseconds. */
export const agesOf = ({ executions, audit, ended, unused }: Readonly<Record<AgeName, number>>): Ages => ({
  executions: executions * DAY_MS,
  audit: audit * DAY_MS,
  ended: ended * DAY_MS,
  unused: unused * DAY_MS,
});

const LEASE = 'retention';
const LEASE_MS = 50_000;
// Pause after each slice of deletions, as a multiple of the duration of the slice. Three quarters of the time thereby
// remain for other users of the database.
const PAUSE_PER_MS = 3;
const MIN_PAUSE_MS = 5;
const PAGES_AT_ONCE = 100;
// Fraction of the SQLite file that stays allocated as free pages for new rows. Returning pages to the file system and
// allocating them again is expensive.
const FREE_PART = 0.1;
const FREE_PAGES = 1000;

/**
 * Creates the lease of the retention job, which one instance of the service can have at a time. The database stores its
 * expiry, which instances change by compare and set. An expired lease is free for other instances.
 */
function createLease({ settings, now }: Pick<Storage, 'settings'> & { readonly now: () => number }) {
  let until = 0;

  async function moveFrom(from: number): Promise<boolean> {
    const to = now() + LEASE_MS;
    const isMoved = await settings.replace(LEASE, { from: String(from), to: String(to) });
    until = isMoved ? to : 0;
    return isMoved;
  }

  return {
    /**
     * Tries to take the lease that allows this instance to delete expired rows. Returns true if the instance got it.
     */
    take: async (): Promise<boolean> => {
      const takenUntil = Number(await settings.insertIfAbsent(LEASE, '0'));
      // An instance with a wrong clock may have stored an expiry that is further in the future than a lease lasts. Such
      // a lease is ignored.
      const isTaken = takenUntil > now() && takenUntil <= now() + LEASE_MS;
      return isTaken ? false : moveFrom(takenUntil);
    },
    /** Extends this instance's lease of the retention job when less than half of its time is left. */
    extend: async (): Promise<void> => {
      if (until - now() < LEASE_MS / 2) await moveFrom(until);
    },
    isActive: (): boolean => until > now(),
  };
}

export interface RetentionOptions {
  readonly storage: Pick<Storage, 'expiredRows' | 'freeSpace' | 'settings'>;
  readonly ages: Ages;
  readonly now: () => number;
  /** Resolves after `ms` milliseconds. */
  readonly wait: (ms: number) => Promise<unknown>;
}

/**
 * Creates the job that deletes all rows older than their retention time, a few rows at a time. The rules of each table
 * are in retention-rules.ts.
 */
export function createRetention({ storage, ages, now, wait }: RetentionOptions) {
  const { expiredRows, freeSpace, settings } = storage;
  const lease = createLease({ settings, now });
  let isStopped = false;
  const mayGoOn = () => !isStopped && lease.isActive();
  const until = (age: AgeName | undefined, afterMs = 0) => now() - (age ? ages[age] : 0) - afterMs;

  /** Calls `slice`, which deletes a few rows, with pauses until it returns false because nothing is left to delete. */
  async function repeat(slice: () => Promise<boolean>): Promise<void> {
    while (mayGoOn()) {
      const startedAt = performance.now();
      if (!(await slice())) return;
      await lease.extend();
      await wait(Math.max(MIN_PAUSE_MS, PAUSE_PER_MS * (performance.now() - startedAt)));
    }
  }

  async function deleteExecutions(): Promise<void> {
    const before = until(EXECUTION_RULE.age);
    let next = await expiredRows.nextWithExecutions('');
    while (next !== undefined && mayGoOn()) {
      const owner = next;
      await repeat(
        async () => (await expiredRows.deleteOldestExecutions(owner, before)) === EXECUTION_RULE.sliceSize,
      );
      next = await expiredRows.nextWithExecutions(owner);
    }
  }

  async function deleteIndexed(): Promise<void> {
    await expiredRows.setAuditRetainedFrom(until('audit'));
    for (const rule of INDEXED_RULES) {
      const before = until(rule.age, rule.afterMs);
      await repeat(async () => (await expiredRows.deleteOldest(rule, before)) === rule.sliceSize);
    }
  }

  async function deleteScanned(): Promise<void> {
    for (const rule of expiredRows.scannedRules) {
      let after: string | undefined = '';
      const before = until(rule.age, rule.afterMs);
      await repeat(async () => {
        if (after !== undefined) after = await expiredRows.deleteScanned(rule, { after, until: before });
        return after !== undefined;
      });
    }
  }

  async function giveSpaceBack(): Promise<void> {
    await repeat(async () => {
      const space = await freeSpace.ofFile();
      if (!space?.givesBack) return false;
      const spare = Math.floor(space.free - Math.max(FREE_PAGES, FREE_PART * space.pages));
      if (spare > 0) await freeSpace.giveBack(Math.min(spare, PAGES_AT_ONCE));
      return spare > 0;
    });
  }

  return {
    /**
     * Deletes rows that are older than their retention time. Does nothing while another instance of the service has the
     * lease of this job.
     */
    run: async (): Promise<void> => {
      if (isStopped || !(await lease.take())) return;
      for (const step of [deleteExecutions, deleteIndexed, deleteScanned, giveSpaceBack])
        if (mayGoOn()) await step();
    },
    /** Stops `run` after its current statement. */
    stop: (): void => {
      isStopped = true;
    },
  };
}
