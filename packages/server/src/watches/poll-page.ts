import { ServiceError } from '../errors.js';
import type { Storage } from '../storage/storage.js';
import type { OwnerOfItems } from '../storage/watch-items-table.js';
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
  /** Returns a random number from 0 to 1, which varies the time of the next poll. */
  readonly jitter: () => number;
}

/**
 * Duration in milliseconds of an instance's claim of a watch. Meanwhile no other instance polls it. Each page that the
 * instance reads extends the claim.
 */
export const LEASE_MS = 60_000;
/** Maximum time in milliseconds for reading one page of the list, including retries of the request. */
const PAGE_MS = 40_000;
/**
 * Maximum number of stored items per watch. If a list without a sync token has more, stored items that have not changed
 * since an earlier poll are deleted. If that does not make enough room, the watch fails.
 */
const MAX_ITEMS = 50_000;
const MISSING_AT_ONCE = 500;

const tooMany = () =>
  new ServiceError(
    'conflict',
    `The watched list has more items than the ${MAX_ITEMS} that a watch can remember. Create a watch whose input selects fewer items.`,
    {
      reason: 'too_many_items',
    },
  );

const outOfReach = () =>
  new ServiceError(
    'conflict',
    'The watch paused for so long that the upstream no longer lists all changes. Delete the watch, and create a new one.',
    { reason: 'out_of_reach' },
  );

/** Creates the function that reads and stores the next page of a watched list. */
export function createPollPage(parts: PollPageParts) {
  const { storage, vault, readPage, storePage, now, jitter } = parts;

  /**
   * Returns the columns of the watch that change when a page is stored. While the poll has more pages, only this
   * instance may poll the watch. After the last page, any instance may run the next poll.
   */
  async function columnsOf({ row }: Poll, cursor: WatchCursor, walk: number): Promise<WatchChange> {
    const time = now();
    const position = { cursor: await sealCursor(vault, row, cursor), walk, failures: 0 };
    if (cursor.walk !== undefined) return { ...position, nextAt: time + LEASE_MS };
    return {
      ...position,
      claim: null,
      state: 'watching',
      reason: null,
      // Varies the interval randomly, so that watches that were created together are not polled together.
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

  /** Reports stored items that are missing in the complete list as deleted, at most `MISSING_AT_ONCE` per call. */
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

  /**
   * Returns true if the watch would store too many items with the `added` new ones. Throws `conflict` if deleting the
   * items that changed before `since` would not make enough room. `walk`: present if the watch reads the complete list.
   * Items of earlier readings then do not count, because the watch deletes those that it does not find again.
   */
  async function isFilled(
    owner: OwnerOfItems,
    added: number,
    { since, walk }: { readonly since: number | undefined; readonly walk: number | undefined },
  ): Promise<boolean> {
    if (added === 0 || (await storage.watchItems.count(owner, { walk })) + added <= MAX_ITEMS) return false;
    if (since === undefined) throw tooMany();
    if ((await storage.watchItems.count(owner, { since })) + added > MAX_ITEMS) throw tooMany();
    return true;
  }

  async function readNext(poll: Poll, stopping: AbortSignal): Promise<Poll | undefined> {
    const { row, list, cursor } = poll;
    const { watch } = list;
    if (isOutOfReach(watch, cursor, now())) throw outOfReach();
    const isFull = isFullWalk(watch, cursor);
    const walk = isFull && cursor.walk === undefined ? poll.walk + 1 : poll.walk;
    const begun = { ...cursor, walk: cursor.walk ?? newWalk(now()) };
    // Time before the request, in milliseconds since 1970. The upstream reads its list later, so the page may contain
    // later changes.
    const askedAt = now();
    const fetched = await readPage(poll, AbortSignal.any([stopping, AbortSignal.timeout(PAGE_MS)]));
    const owner = { applicationId: row.applicationId, watchId: row.id };
    const keys = fetched.items.map(({ key }) => key);
    const known = new Map((await storage.watchItems.find(owner, keys)).map((each) => [each.itemKey, each]));
    const { hasReached, ...found } = findChanges(watch, fetched.items, {
      known,
      since: cursor.since,
      newSince: cursor.newSince,
      isFull,
      askedAt,
    });
    const isStored = (key: string) => (isFull ? known.get(key)?.walk === walk : known.has(key));
    const added = found.put.filter(({ key }) => !isStored(key)).length;
    const mustForget = await isFilled(owner, added, {
      since: watch.syncToken ? undefined : cursor.since,
      walk: isFull ? walk : undefined,
    });
    const hasFound = found.put.length > 0;
    const after = afterPage(watch, begun, { ...fetched, hasFound, hasReached }, now());
    // Deletes old items if there is no room, because the upstream lists them again only after a change. The watch then
    // reports them as changed.
    return store(poll, after, { ...found, walk, forgetBefore: mustForget ? cursor.since : undefined });
  }

  /**
   * Reads and stores a page. Resolves to the poll with its new position in the list, or to `undefined` if another
   * instance has taken over the watch.
   */
  return function pollPage(poll: Poll, stopping: AbortSignal): Promise<Poll | undefined> {
    const finalToken = poll.cursor.walk?.finalToken;
    return finalToken === undefined ? readNext(poll, stopping) : removeMissing(poll, finalToken);
  };
}

export type PollPage = ReturnType<typeof createPollPage>;
