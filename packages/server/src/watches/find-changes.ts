import type { Watch } from '@svc/catalog';
import type { WatchItemRow } from '../storage/watch-rows.js';
import type { ListedItem } from './read-items.js';

/** Change of an item that a watch reports. */
export interface ItemChange {
  readonly type: 'watch.item_created' | 'watch.item_changed' | 'watch.item_deleted';
  readonly item: Pick<ListedItem, 'id' | 'version'> & Partial<Pick<ListedItem, 'data'>>;
}

export interface PageChanges {
  readonly changes: readonly ItemChange[];
  /** Items to store with their new versions. */
  readonly put: readonly ListedItem[];
  /** Keys of items to delete. */
  readonly remove: readonly string[];
  /** True if the page has an item from before `since`. */
  readonly hasReached: boolean;
}

export interface KnownState {
  readonly known: ReadonlyMap<string, WatchItemRow>;
  /** Time before which all changes are known; `undefined` for a list with a sync token. */
  readonly since: number | undefined;
  /** Time before which unknown items are not new. */
  readonly newSince: number | undefined;
  /** True if all items of the list are stored again, because the walk searches for missing ones. */
  readonly isFull: boolean;
  readonly now: number;
}

/** Difference in milliseconds from which the clock of the upstream is wrong, so that its times say nothing about now. */
const WRONG_CLOCK_MS = 300_000;

/** Returns whether another change of the item could still get the same rounded time. */
const mayChangeAgain = ({ resolution = 0 }: Watch, { at }: ListedItem, now: number): boolean =>
  resolution > 0 && at > now - resolution * 1000 && at < now + WRONG_CLOCK_MS;

/** Returns whether an unknown item is new. An older one was changed, and the watch did not know it. */
const isNew = ({ createdAt }: ListedItem, newSince: number | undefined): boolean =>
  createdAt === undefined || newSince === undefined || createdAt >= newSince;

/** Finds what differs between the items of a page and the items that the watch has stored. */
export function findChanges(watch: Watch, items: readonly ListedItem[], state: KnownState): PageChanges {
  const { known, since, newSince, isFull, now } = state;
  const changes: ItemChange[] = [];
  const put: ListedItem[] = [];
  const remove: string[] = [];
  const isKnownTime = ({ at }: ListedItem) => since !== undefined && at < since;
  for (const item of items) {
    const before = known.get(item.key);
    if (isKnownTime(item) || mayChangeAgain(watch, item, now)) continue;
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
