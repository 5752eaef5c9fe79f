import { AGING, type AgeName, EXECUTIONS } from '../storage/kept-rows.js';
import type { Storage } from '../storage/storage.js';
import { createTurn } from './turn.js';

/** How long what is kept, in milliseconds. */
export type Ages = Readonly<Record<AgeName, number>>;

const DAY_MS = 24 * 3_600_000;

/** From what an operator sets, in days. */
export const agesOf = ({ executions, audit, ended, unused }: Readonly<Record<AgeName, number>>): Ages => ({
  executions: executions * DAY_MS,
  audit: audit * DAY_MS,
  ended: ended * DAY_MS,
  unused: unused * DAY_MS,
});

export interface RetentionParts {
  readonly storage: Pick<Storage, 'freeSpace' | 'keptRows' | 'settings'>;
  readonly ages: Ages;
  readonly now: () => number;
  /** Resolves after so many milliseconds. */
  readonly wait: (ms: number) => Promise<unknown>;
}

export interface Retention {
  /** Deletes what is older than it is kept; does nothing while it is another instance's turn. */
  run(): Promise<void>;
  /** What runs ends after its next statement. */
  stop(): void;
}

const TURN_MS = 50_000;
// Whoever else waits for the database has three quarters of the time and more.
const PAUSE_PER_MS = 3;
const LEAST_PAUSE_MS = 5;
const PAGES_AT_ONCE = 100;
// So much of a file stays for what comes next: pages that are given back and asked for again cost twice.
const FREE_PART = 0.1;
const FREE_PAGES = 1000;

/** Work in slices, until one says that nothing is left. */
interface Slices {
  readonly goOn: () => boolean;
  readonly repeat: (slice: () => Promise<boolean>) => Promise<void>;
}

const createSteps = ({ storage, ages, now }: RetentionParts, { goOn, repeat }: Slices) => {
  const { freeSpace, keptRows } = storage;
  const until = (age: AgeName | undefined, afterMs = 0) => now() - (age ? ages[age] : 0) - afterMs;

  async function deleteExecutions(): Promise<void> {
    const before = until('executions');
    let owner = await keptRows.nextWithExecutions('');
    while (owner !== undefined && goOn()) {
      const own = owner;
      await repeat(async () => (await keptRows.deleteSomeExecutions(own, before)) === EXECUTIONS.most);
      owner = await keptRows.nextWithExecutions(own);
    }
  }

  async function deleteAging(): Promise<void> {
    await keptRows.keepAuditFrom(until('audit'));
    for (const aging of AGING) {
      const before = until(aging.age, aging.afterMs);
      await repeat(async () => (await keptRows.deleteSome(aging, before)) === aging.most);
    }
  }

  async function deleteWatched(): Promise<void> {
    for (const watched of keptRows.watched) {
      let after: string | undefined = '';
      const place = { until: until(watched.age, watched.afterMs) };
      await repeat(async () => {
        if (after !== undefined) after = await keptRows.deleteAmongSome(watched, { ...place, after });
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

  return [deleteExecutions, deleteAging, deleteWatched, giveSpaceBack];
};

/** Nothing grows without end: whatever has an age goes when it is over, a slice at a time (kept-rows.ts says what and when). */
export function createRetention(parts: RetentionParts): Retention {
  const turn = createTurn({ ...parts, name: 'retention', lifeMs: TURN_MS });
  let isStopped = false;
  const goOn = () => !isStopped && turn.isOurs();

  async function repeat(slice: () => Promise<boolean>): Promise<void> {
    while (goOn()) {
      const began = performance.now();
      if (!(await slice())) return;
      await turn.extend();
      await parts.wait(Math.max(LEAST_PAUSE_MS, PAUSE_PER_MS * (performance.now() - began)));
    }
  }

  const steps = createSteps(parts, { goOn, repeat });
  return {
    run: async () => {
      if (isStopped || !(await turn.take())) return;
      for (const step of steps) if (goOn()) await step();
    },
    stop: () => {
      isStopped = true;
    },
  };
}
