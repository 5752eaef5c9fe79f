import { createLane } from '../concurrency/lane.js';
import type { Storage } from '../storage/storage.js';
import type { WatchRow } from '../storage/watch-rows.js';
import { newId, type Random } from '../text/random.js';
import { LEASE_MS } from './poll-page.js';
import type { PollWatch } from './poll-watch.js';

export interface PollDueParts {
  readonly storage: Pick<Storage, 'watches'>;
  readonly pollWatch: PollWatch;
  readonly now: () => number;
  readonly random: Random;
  /** Called after each poll has ended, so that the caller starts waiting polls. */
  readonly onFree: () => void;
  readonly onError: (error: unknown) => void;
}

/** Maximum number of concurrent polls in this process. */
const SLOTS = 64;
/** Maximum number of concurrent polls of one application in this process. */
const MAX_PER_APPLICATION = 8;
const APPLICATIONS_AT_ONCE = 1000;

/** Creates the function that starts the polls of all due watches, without exceeding the limits of concurrent polls. */
export function createPollDue({ storage, pollWatch, now, random, onFree, onError }: PollDueParts) {
  const lane = createLane(SLOTS);
  const counts = new Map<string, number>();
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();
  let after = '';

  function count(applicationId: string, change: 1 | -1): void {
    const left = (counts.get(applicationId) ?? 0) + change;
    if (left > 0) counts.set(applicationId, left);
    else counts.delete(applicationId);
    if (change > 0) lane.take(applicationId, 1);
    else lane.release(applicationId, 1);
  }

  const roomOf = (applicationId: string): number =>
    Math.min(MAX_PER_APPLICATION - (counts.get(applicationId) ?? 0), lane.room(applicationId));

  function start(row: WatchRow): void {
    const { applicationId } = row;
    count(applicationId, 1);
    const work = pollWatch(row, stopping.signal)
      .catch(onError)
      .finally(() => {
        running.delete(work);
        count(applicationId, -1);
        onFree();
      });
    running.add(work);
  }

  async function claim(applicationId: string, most: number): Promise<readonly WatchRow[]> {
    const time = now();
    const request = { now: time, until: time + LEASE_MS, claim: newId('claim', random), most };
    return storage.watches.claim(applicationId, request);
  }

  /**
   * Starts the polls of due watches, application by application. If no further poll is allowed, the next call continues
   * after the last application, so that none is left out.
   */
  async function pollDue(): Promise<void> {
    if (lane.room('') <= 0) return;
    const begin = after;
    const due = await storage.watches.dueApplications({ now: now(), after, limit: APPLICATIONS_AT_ONCE });
    after = due.length === APPLICATIONS_AT_ONCE ? (due.at(-1) ?? '') : '';
    for (const applicationId of due) {
      const most = roomOf(applicationId);
      if (most <= 0) continue;
      for (const row of await claim(applicationId, most)) start(row);
      if (lane.room('') > 0) continue;
      after = applicationId;
      return;
    }
    if (begin !== '' && after === '') await pollDue();
  }

  return {
    pollDue,
    /** Aborts the running polls. Resolves when other processes can claim their watches. */
    close: async (): Promise<void> => {
      stopping.abort();
      await Promise.all(running);
    },
  };
}
