import type { Watch } from '@svc/catalog';
import type { WatchItemRow } from '../storage/watch-rows.js';
import type { ListedItem } from './read-items.js';

/** Created, changed or deleted item of a watched list, which the watch reports as an event. */
export interface ItemChange {
  readonly type: 'watch.item_created' | 'watch.item_changed' | 'watch.item_deleted';
  readonly item: Pick<ListedItem, 'id' | 'version'> & Partial<Pick<ListedItem, 'data'>>;
}

export interface PageChanges {
  readonly changes: readonly ItemChange[];
  /** Items to store, or to store again with a new version. */
  readonly put: readonly ListedItem[];
  /** Keys of the stored items that the upstream has deleted. */
  readonly remove: readonly string[];
  /** True if this page of a list in descending order of time has an item from before `since`. */
  readonly hasReached: boolean;
}

export interface KnownState {
  readonly known: ReadonlyMap<string, WatchItemRow>;
  /** Time in epoch milliseconds before which all changes are known. `undefined` for a list with a sync token. */
  readonly since: number | undefined;
  /**
   * Time in epoch milliseconds. An item that was created earlier and is not stored is reported as changed, not as
   * created.
   */
  readonly newSince: number | undefined;
  /**
   * True if the whole list is read to find deleted items. Unchanged items are then stored too, to record that they
   * still exist.
   */
  readonly isFull: boolean;
  /** Time in epoch milliseconds at which the page was requested. */
  readonly askedAt: number;
}

/**
 * Milliseconds that an item's time may be in the future. A later time means that the clock of the upstream is wrong, so
 * it is not compared with the present.
 */
const WRONG_CLOCK_MS = 300_000;
/** Milliseconds by which the clock of the upstream may be slow. */
const SLOW_CLOCK_MS = 10_000;

/**
 * True if the item changed so recently that another change could get the same time, which the upstream rounds. The item
 * is then reported in a later poll.
 */
const mayChangeAgain = ({ resolution = 0 }: Watch, { at }: ListedItem, askedAt: number): boolean =>
  resolution > 0 && at > askedAt - resolution * 1000 - SLOW_CLOCK_MS && at < askedAt + WRONG_CLOCK_MS;

/**
 * True if an item that the watch has not stored yet counts as created. An item from before `newSince` counts as
 * changed, because the watch may have missed its creation.
 */
const isNew = ({ createdAt }: ListedItem, newSince: number | undefined): boolean =>
  createdAt === undefined || newSince === undefined || createdAt >= newSince;

/** Compares the items of a page with the items that the watch has stored, and returns the differences. */
export function findChanges(watch: Watch, items: readonly ListedItem[], state: KnownState): PageChanges {
  const { known, since, newSince, isFull, askedAt } = state;
  const changes: ItemChange[] = [];
  const put: ListedItem[] = [];
  const remove: string[] = [];
  const isKnownTime = ({ at }: ListedItem) => since !== undefined && at < since;
  for (const item of items) {
    const before = known.get(item.key);
    if (isKnownTime(item) || mayChangeAgain(watch, item, askedAt)) continue;
    if (item.isDeleted) {
      if (before) changes.push({ type: 'watch.item_deleted', item: { id: item.id, version: item.version } });
      if (before) remove.push(item.key);
      continue;
    }
    const isSame = before?.version === item.versionDigest;
    if (!isSame || isFull) put.push(item);
    if (isSame) continue;
    const type = before || !isNew(item, newSince) ? 'watch.item_changed' : 'watch.item_created';
    changes.push({ type, item });
  }
  return { changes, put, remove, hasReached: watch.newestFirst !== undefined && items.some(isKnownTime) };
}
