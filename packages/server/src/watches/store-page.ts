import { payloadLocation } from '../events/event-payload.js';
import { toEventRow } from '../events/event-row.js';
import type { ServiceEvents } from '../events/service-events.js';
import type { Storage, Tables } from '../storage/storage.js';
import type { WatchItemRow } from '../storage/watch-rows.js';
import type { WatchChange } from '../storage/watches-table.js';
import { newId, type Random } from '../text/random.js';
import type { Vault } from '../vault/vault.js';
import type { ItemChange } from './find-changes.js';
import type { Poll } from './prepare-poll.js';
import type { ListedItem } from './read-items.js';
import { itemEvent } from './watch-events.js';

/** Changes to store in the database after reading one page of a watched list. */
export interface StoredPage {
  readonly changes: readonly ItemChange[];
  readonly put: readonly ListedItem[];
  /** Keys of the stored items to delete. */
  readonly remove: readonly string[];
  /**
   * Number of times that the watch has begun to read the complete list. Each stored item of the page gets this number.
   * Items with a lower number are no longer in the list after it was read completely.
   */
  readonly walk: number;
  readonly row: WatchChange;
  /**
   * Time in milliseconds since 1970. Stored items that last changed earlier are deleted to make room, because the
   * upstream lists them again only after a change.
   */
  readonly forgetBefore?: number | undefined;
}

export interface StorePageParts {
  readonly storage: Pick<Storage, 'transaction'>;
  readonly vault: Pick<Vault, 'seal'>;
  readonly serviceEvents: Pick<ServiceEvents, 'notify'>;
  readonly now: () => number;
  readonly random: Random;
  /** Called for each item that the watch reported as an event. */
  readonly onItem?: ((type: ItemChange['type']) => void) | undefined;
}

type NewEvent = ReturnType<typeof toEventRow>;

/** Maximum number of events per INSERT statement, because both databases limit the number of parameters. */
const INSERTED_AT_ONCE = 500;

/**
 * Creates the function that stores a page of a watched list. One transaction writes the items, the events and the
 * position in the list, so a killed process neither loses nor repeats an event.
 */
export function createStorePage(parts: StorePageParts) {
  const { storage, vault, serviceEvents, now, random, onItem } = parts;

  /** Builds the database row of an event about an item. Encrypts the item, because it contains data of a user. */
  async function toRowOf({ row }: Poll, change: ItemChange): Promise<NewEvent> {
    const { applicationId } = row;
    const { draft, payload } = itemEvent(row, change, now());
    const id = newId('evt', random);
    const sealed = payload && (await vault.seal(payloadLocation({ applicationId, id }), payload));
    return toEventRow(draft, { id, payload: sealed });
  }

  async function insertEvents({ events }: Tables, rows: readonly NewEvent[]): Promise<void> {
    for (let from = 0; from < rows.length; from += INSERTED_AT_ONCE)
      await events.insert(rows.slice(from, from + INSERTED_AT_ONCE));
  }

  /**
   * Stores a page of a watched list. Resolves to false without storing anything if another instance now polls the
   * watch, or if the application has changed the watch.
   */
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
    // Reports nothing until the first poll is complete (`startedAt` is null until then). The first poll only stores the
    // items that already exist.
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
    if (!isStored) return false;
    for (const { type } of changes) onItem?.(type);
    if (reported.length > 0) serviceEvents.notify();
    return true;
  };
}

export type StorePage = ReturnType<typeof createStorePage>;
