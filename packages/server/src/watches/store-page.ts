import type { ServiceEvents } from '../events/service-events.js';
import type { Storage, Tables } from '../storage/storage.js';
import type { WatchItemRow } from '../storage/watch-rows.js';
import type { WatchChange } from '../storage/watches-table.js';
import type { ItemChange } from './find-changes.js';
import type { Poll } from './prepare-poll.js';
import type { ListedItem } from './read-items.js';
import { itemEvent } from './watch-events.js';

/** Everything that one page changes. */
export interface StoredPage {
  readonly changes: readonly ItemChange[];
  readonly put: readonly ListedItem[];
  /** Keys of items to delete. */
  readonly remove: readonly string[];
  /** Number of the walk that has read the page. */
  readonly walk: number;
  readonly row: WatchChange;
  /** Time before which items are no longer needed, because the list no longer returns them. */
  readonly forgetBefore?: number | undefined;
}

export interface StorePageParts {
  readonly storage: Pick<Storage, 'transaction'>;
  readonly serviceEvents: Pick<ServiceEvents, 'insert' | 'notify'>;
  readonly now: () => number;
}

/** Number of events of one insert statement. Both databases limit the number of parameters. */
const INSERTED_AT_ONCE = 500;

/**
 * Creates the function that stores a page. The items, the events and the position in the list are written in one
 * transaction, so that a killed process neither loses nor repeats an event.
 */
export function createStorePage({ storage, serviceEvents, now }: StorePageParts) {
  async function insertEvents(tables: Tables, { row }: Poll, changes: readonly ItemChange[]): Promise<void> {
    for (let from = 0; from < changes.length; from += INSERTED_AT_ONCE) {
      const slice = changes.slice(from, from + INSERTED_AT_ONCE);
      await serviceEvents.insert(
        tables,
        slice.map((change) => itemEvent(row, change, now())),
      );
    }
  }

  /** Returns `false` without a change if another instance has claimed the watch, or the application has changed it. */
  return async function storePage(poll: Poll, page: StoredPage): Promise<boolean> {
    const { applicationId, id: watchId, startedAt } = poll.row;
    const owner = { applicationId, watchId };
    const toRow = ({ key, id, versionDigest, at }: ListedItem): WatchItemRow => ({
      ...owner,
      itemKey: key,
      itemId: id,
      version: versionDigest,
      at,
      walk: page.walk,
    });
    // The first poll only records the existing items.
    const reported = startedAt === null ? [] : page.changes;
    const isStored = await storage.transaction(async (tables) => {
      if (!(await tables.watches.changeClaimed(poll.row, page.row))) return false;
      await tables.watchItems.put(page.put.map(toRow));
      await tables.watchItems.delete(owner, page.remove);
      if (page.forgetBefore !== undefined) await tables.watchItems.deleteBefore(owner, page.forgetBefore);
      await insertEvents(tables, poll, reported);
      return true;
    });
    if (isStored && reported.length > 0) serviceEvents.notify();
    return isStored;
  };
}

export type StorePage = ReturnType<typeof createStorePage>;
