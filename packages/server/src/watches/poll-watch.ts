import type { Callers } from '../caller.js';
import { ServiceError } from '../errors.js';
import type { ServiceEvents } from '../events/service-events.js';
import type { Storage } from '../storage/storage.js';
import type { WatchRow } from '../storage/watch-rows.js';
import type { WatchChange, WatchOf } from '../storage/watches-table.js';
import type { Vault } from '../vault/vault.js';
import { classifyFailure, type PollFailure } from './poll-failure.js';
import type { PollPage } from './poll-page.js';
import { type Poll, type PreparePoll, sealCursor } from './prepare-poll.js';
import { failedEvent } from './watch-events.js';

/**
 * Outcome of a poll for the metrics. `continued`: the list has more pages, which a later poll reads. `retried`: the
 * poll failed, and the service will poll again.
 */
export type PollOutcome = 'succeeded' | 'continued' | 'retried' | 'paused' | 'failed';

export interface PollWatchParts {
  readonly storage: Pick<Storage, 'transaction' | 'watches'>;
  readonly vault: Pick<Vault, 'seal'>;
  readonly preparePoll: PreparePoll;
  readonly pollPage: PollPage;
  readonly serviceEvents: Pick<ServiceEvents, 'insert' | 'notify'>;
  readonly callers: Pick<Callers, 'run'>;
  readonly now: () => number;
  readonly jitter: () => number;
  /** Called with an unexpected error of a poll, which is a fault of the service. The service polls again later. */
  readonly onError: (error: unknown) => void;
  /** Called with the outcome of each poll, unless another instance has taken over the watch. */
  readonly onPoll?: ((outcome: PollOutcome) => void) | undefined;
}

/** Maximum number of pages that one poll reads. Afterwards other watches of the application get their turn. */
const MAX_PAGES = 20;
/** Maximum time in milliseconds until the next poll after repeated failures. */
const MAX_DELAY_MS = 3_600_000;
/** Maximum time in milliseconds until the next poll if the upstream requests a delay with the Retry-After header. */
const MAX_RETRY_AFTER_MS = 24 * 3_600_000;

const isFault = (error: unknown): boolean =>
  !(error instanceof ServiceError) || error.code === 'internal_error';

/** Creates the function that polls a watch which this instance has claimed, and stores the watch's new state. */
export function createPollWatch(parts: PollWatchParts) {
  const { storage, vault, preparePoll, pollPage, serviceEvents, callers, now, jitter, onError, onPoll } =
    parts;

  /**
   * Returns the time of the next poll after a failure, in milliseconds since 1970. `seconds`: delay that the upstream
   * requested. If it is undefined, the delay is an exponential backoff, multiplied by a random factor from 0.5 to 1.
   */
  function nextAfter({ every, failures }: WatchRow, seconds: number | undefined): number {
    if (seconds !== undefined) return now() + Math.min(Math.max(seconds, 1) * 1000, MAX_RETRY_AFTER_MS);
    const delay = Math.min(every * 1000 * 2 ** Math.min(failures, 20), MAX_DELAY_MS);
    return now() + Math.round(delay * (0.5 + 0.5 * jitter()));
  }

  /**
   * Stores a change of the watch, and lets any instance run the next poll. Writes an event if the watch becomes paused
   * or failed.
   */
  async function end(row: WatchOf, outcome: PollOutcome, change: WatchChange): Promise<void> {
    const { state = row.state, reason } = change;
    const hasFailed = state !== row.state && (state === 'paused' || state === 'failed');
    const isStored = await storage.transaction(async (tables) => {
      if (!(await tables.watches.changeClaimed(row, { ...change, claim: null }))) return false;
      if (hasFailed)
        await serviceEvents.insert(tables, [failedEvent(row, { state, reason: reason ?? '', at: now() })]);
      return true;
    });
    if (isStored) onPoll?.(outcome);
    if (isStored && hasFailed) serviceEvents.notify();
  }

  const release = (row: WatchOf) => end(row, 'continued', { nextAt: now() });
  const pause = (row: WatchOf, reason: string) =>
    end(row, 'paused', { state: 'paused', reason, nextAt: nextAfter({ ...row, failures: 0 }, row.every) });
  const giveUp = (row: WatchOf, reason: string, change: WatchChange = {}) =>
    end(row, 'failed', { ...change, state: 'failed', reason, nextAt: null });

  /**
   * Lets the watch be polled again. The watch shows `reason` until a poll succeeds. A paused watch keeps the reason of
   * its pause.
   */
  const retry = (row: WatchOf, reason: string, seconds: number | undefined, change: WatchChange = {}) =>
    end(row, 'retried', {
      ...change,
      ...(row.state !== 'paused' && { reason }),
      failures: row.failures + 1,
      nextAt: nextAfter(row, seconds),
    });

  /**
   * Lets the next poll begin with the first page, because the upstream may no longer know the page token of the page
   * that it refused. Stops the watch after `most` refusals in a row.
   */
  async function beginAgain(row: WatchOf, poll: Poll, { reason, most }: PollFailure & { kind: 'refused' }) {
    const { walk: _, refused: before = 0, ...position } = poll.cursor;
    const refused = before + 1;
    // Stores the position without the number of refusals. If the application enables the watch again, the upstream may
    // then refuse `most` requests again.
    if (refused >= most) return giveUp(row, reason, { cursor: await sealCursor(vault, row, position) });
    const cursor = await sealCursor(vault, row, { ...position, refused });
    return retry(row, reason, undefined, { cursor, walk: poll.walk });
  }

  async function handle(row: WatchOf, poll: Poll | undefined, failure: PollFailure): Promise<void> {
    if (failure.kind === 'pause') return pause(row, failure.reason);
    if (failure.kind === 'end' && row.failures + 1 >= failure.most) return giveUp(row, failure.reason);
    if (failure.kind === 'refused' && poll) return beginAgain(row, poll, failure);
    if (failure.kind === 'expired') {
      const cursor = await sealCursor(vault, row, {});
      return end(row, 'retried', { cursor, nextAt: now() });
    }
    return retry(row, failure.reason, failure.kind === 'postpone' ? failure.seconds : undefined);
  }

  /** Reads pages until the list ends, `MAX_PAGES` pages are read, or the service stops. */
  async function readPages(row: WatchOf, stopping: AbortSignal): Promise<void> {
    let poll: Poll | undefined;
    try {
      poll = await preparePoll.prepare(row);
      for (let pages = 0; pages < MAX_PAGES && !stopping.aborted; pages += 1) {
        const next = await pollPage(poll, stopping);
        if (next === undefined) return;
        if (next.cursor.walk === undefined) return onPoll?.('succeeded');
        poll = next;
      }
    } catch (error) {
      if (stopping.aborted) return release(row);
      if (isFault(error)) onError(error);
      const syncToken = poll?.cursor.token === undefined ? undefined : poll.list.watch.syncToken;
      const context = { syncToken, rules: poll?.rules ?? [] };
      return handle(row, poll, classifyFailure(error, context));
    }
    return release(row);
  }

  async function pollClaimed(claimed: WatchRow, stopping: AbortSignal): Promise<void> {
    const { applicationId, id, claim } = claimed;
    const found = await storage.watches.find(applicationId, id);
    if (found?.claim !== claim) return;
    const isAuthorized = await preparePoll.isAuthorized(found);
    if (isAuthorized === undefined) return;
    return isAuthorized ? readPages(found, stopping) : pause(found, 'account_not_authorized');
  }

  /** Polls a watch as its application, so that requests and audit events are attributed to the application. */
  return function pollWatch(claimed: WatchRow, stopping: AbortSignal): Promise<void> {
    const { applicationId } = claimed;
    const caller = { actor: 'service', applicationId, requestId: null, address: null };
    return callers.run(
      () => caller,
      () => pollClaimed(claimed, stopping),
    );
  };
}

export type PollWatch = ReturnType<typeof createPollWatch>;
