import { payloadPath } from '../events/event-payload.js';
import { toEventRow } from '../events/event-row.js';
import type { ServiceEvents } from '../events/service-events.js';
import { newId, type Random } from '../random.js';
import type { Storage, Tables } from '../storage/storage.js';
import type { WatchItemRow } from '../storage/watch-rows.js';
import type { WatchChange } from '../storage/watches-table.js';
import type { Vault } from '../vault/vault.js';
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
  readonly vault: Pick<Vault, 'seal'>;
  readonly serviceEvents: Pick<ServiceEvents, 'notify'>;
  readonly now: () => number;
  readonly random: Random;
}

type NewEvent = ReturnType<typeof toEventRow>;

/** Number of events of one insert statement. Both databases limit the number of parameters. */
const INSERTED_AT_ONCE = 500;

/**
 * Creates the function that stores a page. The items, the events and the position in the list are written in one
 * transaction, so that a killed process neither loses nor repeats an event.
 */
export function createStorePage({ storage, vault, serviceEvents, now, random }: StorePageParts) {
  /** Builds the row of an event. Its item is encrypted, because it is data of a user. */
  async function toRowOf({ row }: Poll, change: ItemChange): Promise<NewEvent> {
    const { applicationId } = row;
    const { draft, payload } = itemEvent(row, change, now());
    const id = newId('evt', random);
    const sealed = payload && (await vault.seal(payloadPath({ applicationId, id }), payload));
    return toEventRow(draft, { id, payload: sealed });
  }

  async function insertEvents({ events }: Tables, rows: readonly NewEvent[]): Promise<void> {
    for (let from = 0; from < rows.length; from += INSERTED_AT_ONCE)
      await events.insert(rows.slice(from, from + INSERTED_AT_ONCE));
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
    const changes = startedAt === null ? [] : page.changes;
    const reported = await Promise.all(changes.map((change) => toRowOf(poll, change)));
    const isStored = await storage.transaction(async (tables) => {
      if (!(await tables.watches.changeClaimed(poll.row, page.row))) return false;
      await tables.watchItems.put(page.put.map(toRow));
      await tables.watchItems.delete(owner, page.remove);
      if (page.forgetBefore !== undefined) await tables.watchItems.deleteBefore(owner, page.forgetBefore);
      await insertEvents(tables, reported);
      return true;
    });
    if (isStored && reported.length > 0) serviceEvents.notify();
    return isStored;
  };
}

export type StorePage = ReturnType<typeof createStorePage>;
