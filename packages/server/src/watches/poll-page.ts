import { ServiceError } from '../errors.js';
import type { Storage } from '../storage/storage.js';
import type { WatchChange } from '../storage/watches-table.js';
import type { Vault } from '../vault/vault.js';
import { findChanges } from './find-changes.js';
import { type Poll, sealCursor } from './prepare-poll.js';
import type { ReadPageOf } from './read-page.js';
import type { StoredPage, StorePage } from './store-page.js';
import { afterPage, isFullWalk, isOutOfReach, newWalk, type WatchCursor } from './watch-cursor.js';

export interface PollPageParts {
  readonly storage: Pick<Storage, 'watchItems'>;
  readonly vault: Pick<Vault, 'seal'>;
  readonly readPage: ReadPageOf;
  readonly storePage: StorePage;
  readonly now: () => number;
  /** Returns a random number from 0 to 1. */
  readonly jitter: () => number;
}

/** Time in milliseconds after which another instance may poll a claimed watch. Each page extends it. */
export const LEASE_MS = 60_000;
/** Time in milliseconds for one page, with its retries. */
const PAGE_MS = 40_000;
/** Maximum number of items that a watch remembers. A watch by time then forgets items that have not changed lately. */
const MOST_ITEMS = 50_000;
const MISSING_AT_ONCE = 500;

const tooMany = () =>
  new ServiceError('conflict', `The watched list has more than ${MOST_ITEMS} items. Watch a smaller list.`, {
    reason: 'too_many_items',
  });

const outOfReach = () =>
  new ServiceError(
    'conflict',
    'The watch paused for so long that the upstream no longer lists all changes. Delete it, and create a new watch.',
    { reason: 'out_of_reach' },
  );

/** Creates the function that reads and stores the next page of a watched list. */
export function createPollPage(parts: PollPageParts) {
  const { storage, vault, readPage, storePage, now, jitter } = parts;

  /** Columns after a page: the lease continues, or the poll is complete. */
  async function columnsOf({ row }: Poll, cursor: WatchCursor, walk: number): Promise<WatchChange> {
    const time = now();
    const position = { cursor: await sealCursor(vault, row, cursor), walk, failures: 0 };
    if (cursor.walk !== undefined) return { ...position, nextAt: time + LEASE_MS };
    return {
      ...position,
      claim: null,
      state: 'watching',
      reason: null,
      // Jitter spreads watches that were created together.
      nextAt: time + Math.round(row.every * 1000 * (0.9 + 0.2 * jitter())),
      startedAt: row.startedAt ?? time,
      polledAt: time,
    };
  }

  async function store(
    poll: Poll,
    cursor: WatchCursor,
    page: Omit<StoredPage, 'row'>,
  ): Promise<Poll | undefined> {
    const row = await columnsOf(poll, cursor, page.walk);
    if (!(await storePage(poll, { ...page, row }))) return undefined;
    return { ...poll, cursor, walk: page.walk };
  }

  /** Reports items that the whole list no longer has, some at a time. */
  async function removeMissing(poll: Poll, finalToken: string): Promise<Poll | undefined> {
    const { row, walk, cursor } = poll;
    const owner = { applicationId: row.applicationId, watchId: row.id };
    const missing = await storage.watchItems.listMissing(owner, { walk, most: MISSING_AT_ONCE });
    const changes = missing.map(({ itemId }) => ({
      type: 'watch.item_deleted' as const,
      item: { id: itemId, version: undefined },
    }));
    const remove = missing.map(({ itemKey }) => itemKey);
    const isLast = missing.length < MISSING_AT_ONCE;
    return store(poll, isLast ? { token: finalToken } : cursor, { changes, put: [], remove, walk });
  }

  async function readNext(poll: Poll, stopping: AbortSignal): Promise<Poll | undefined> {
    const { row, list, cursor } = poll;
    const { watch } = list;
    if (isOutOfReach(watch, cursor, now())) throw outOfReach();
    const isFull = isFullWalk(watch, cursor);
    const walk = isFull && cursor.walk === undefined ? poll.walk + 1 : poll.walk;
    const begun = { ...cursor, walk: cursor.walk ?? newWalk(now()) };
    const fetched = await readPage(poll, AbortSignal.any([stopping, AbortSignal.timeout(PAGE_MS)]));
    const owner = { applicationId: row.applicationId, watchId: row.id };
    const keys = fetched.items.map(({ key }) => key);
    const known = new Map((await storage.watchItems.find(owner, keys)).map((each) => [each.itemKey, each]));
    const { hasReached, ...found } = findChanges(watch, fetched.items, {
      known,
      since: cursor.since,
      newSince: cursor.newSince,
      isFull,
      now: now(),
    });
    const added = found.put.filter(({ key }) => !known.has(key)).length;
    const isFilled = added > 0 && (await storage.watchItems.count(owner)) + added > MOST_ITEMS;
    if (isFilled && watch.syncToken) throw tooMany();
    const hasFound = found.put.length > 0;
    const after = afterPage(watch, begun, { ...fetched, hasFound, hasReached }, now());
    // Upstreams list older items again only after a change, which then counts as a change of an unknown item.
    return store(poll, after, { ...found, walk, forgetBefore: isFilled ? cursor.since : undefined });
  }

  /** Resolves to the poll after the page; `undefined` if this instance has lost the claim. */
  return function pollPage(poll: Poll, stopping: AbortSignal): Promise<Poll | undefined> {
    const finalToken = poll.cursor.walk?.finalToken;
    return finalToken === undefined ? readNext(poll, stopping) : removeMissing(poll, finalToken);
  };
}

export type PollPage = ReturnType<typeof createPollPage>;
