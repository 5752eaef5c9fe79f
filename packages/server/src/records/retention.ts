import { type AgeName, EXECUTION_RULE, INDEXED_RULES } from '../storage/retention-rules.js';
import type { Storage } from '../storage/storage.js';

/** Ages in milliseconds after which rows are deleted. */
export type Ages = Readonly<Record<AgeName, number>>;

const DAY_MS = 24 * 3_600_000;

/** Converts the settings of an operator, which are in days. */
export const agesOf = ({ executions, audit, ended, unused }: Readonly<Record<AgeName, number>>): Ages => ({
  executions: executions * DAY_MS,
  audit: audit * DAY_MS,
  ended: ended * DAY_MS,
  unused: unused * DAY_MS,
});

const LEASE = 'retention';
const LEASE_MS = 50_000;
// Other users of the database get at least three quarters of the time.
const PAUSE_PER_MS = 3;
const MIN_PAUSE_MS = 5;
const PAGES_AT_ONCE = 100;
// A part of the file stays free for new rows, because pages that are given back and allocated again cost twice.
const FREE_PART = 0.1;
const FREE_PAGES = 1000;

/**
 * Lease that one instance has at a time: a time in the database until which it is taken, changed by compare and set. Other
 * instances take over the lease of an instance that ended.
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
    /** Returns whether this instance got the lease. */
    take: async (): Promise<boolean> => {
      const takenUntil = Number(await settings.insertIfAbsent(LEASE, '0'));
      // A time too far ahead was written by a wrong clock.
      const isTaken = takenUntil > now() && takenUntil <= now() + LEASE_MS;
      return isTaken ? false : moveFrom(takenUntil);
    },
    /** Extends the lease while the work goes on. */
    extend: async (): Promise<void> => {
      if (until - now() < LEASE_MS / 2) await moveFrom(until);
    },
    isHeld: (): boolean => until > now(),
  };
}

export interface RetentionOptions {
  readonly storage: Pick<Storage, 'expiredRows' | 'freeSpace' | 'settings'>;
  readonly ages: Ages;
  readonly now: () => number;
  /** Resolves after so many milliseconds. */
  readonly wait: (ms: number) => Promise<unknown>;
}

/** Deletes every row whose age is over, in slices, so that nothing grows without end (retention-rules.ts). */
export function createRetention({ storage, ages, now, wait }: RetentionOptions) {
  const { expiredRows, freeSpace, settings } = storage;
  const lease = createLease({ settings, now });
  let isStopped = false;
  const mayGoOn = () => !isStopped && lease.isHeld();
  const until = (age: AgeName | undefined, afterMs = 0) => now() - (age ? ages[age] : 0) - afterMs;

  /** Repeats a slice until it returns that none is left. */
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
    await expiredRows.setAuditKeptFrom(until('audit'));
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
    /** Deletes expired rows; does nothing while another instance has the lease. */
    run: async (): Promise<void> => {
      if (isStopped || !(await lease.take())) return;
      for (const step of [deleteExecutions, deleteIndexed, deleteScanned, giveSpaceBack])
        if (mayGoOn()) await step();
    },
    /** Ends a run after its next statement. */
    stop: (): void => {
      isStopped = true;
    },
  };
}
