import type { Watch } from '@svc/catalog';
import type { WatchItemRow } from '../storage/watch-rows.js';
import type { ListedItem } from './read-items.js';

/** Created, changed or deleted item of a watched list. The watch reports it as an event. */
export interface ItemChange {
  readonly type: 'watch.item_created' | 'watch.item_changed' | 'watch.item_deleted';
  readonly item: Pick<ListedItem, 'id' | 'version'> & Partial<Pick<ListedItem, 'data'>>;
}

export interface PageChanges {
  readonly changes: readonly ItemChange[];
  /**
   * Items to store: new items, and items whose version changed. If the watch reads the whole list (`isFull`), unchanged
   * items too.
   */
  readonly put: readonly ListedItem[];
  /** Keys of the stored items that the upstream reports as deleted. */
  readonly remove: readonly string[];
  /**
   * True if this page contains an item that changed before `since`, in a list that is sorted by time in descending
   * order.
   */
  readonly hasReached: boolean;
}

export interface KnownState {
  readonly known: ReadonlyMap<string, WatchItemRow>;
  /**
   * Time before which the watch knows all changes, in milliseconds since 1970. `undefined` for a list with a sync
   * token.
   */
  readonly since: number | undefined;
  /**
   * Time in milliseconds since 1970. The watch reports an item that was created earlier and is not stored as changed,
   * not as created.
   */
  readonly newSince: number | undefined;
  /**
   * True if the watch reads the whole list to find deleted items. It then stores unchanged items too, to record that
   * they still exist.
   */
  readonly isFull: boolean;
  /** Time at which the watch requested the page, in milliseconds since 1970. */
  readonly askedAt: number;
}

/**
 * Time in milliseconds by which an item's time may lie in the future. A later time shows that the upstream's clock is
 * wrong, so it is not compared with the current time.
 */
const WRONG_CLOCK_MS = 300_000;
/** Time in milliseconds by which the upstream's clock may be slow. */
const SLOW_CLOCK_MS = 10_000;

/**
 * Returns true if the item changed so recently that another change could get the same time, because the upstream rounds
 * times. A later poll then reports the item.
 */
const mayChangeAgain = ({ resolution = 0 }: Watch, { at }: ListedItem, askedAt: number): boolean =>
  resolution > 0 && at > askedAt - resolution * 1000 - SLOW_CLOCK_MS && at < askedAt + WRONG_CLOCK_MS;

/**
 * Returns true if an item that is not stored yet is reported as created. An item that was created before `newSince` is
 * reported as changed, because the watch may have missed its creation.
 */
const isNew = ({ createdAt }: ListedItem, newSince: number | undefined): boolean =>
  createdAt === undefined || newSince === undefined || createdAt >= newSince;

/** Compares the items of a page with the stored items, and returns the differences. */
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
