import { type EventDraft, namesOf } from '../events/describe-change.js';
import type { WatchState } from '../storage/watch-rows.js';
import type { WatchOf } from '../storage/watches-table.js';
import type { ItemChange } from './find-changes.js';

/** Maximum size of an item in an event, in bytes. */
const MOST_ITEM_BYTES = 20_000;

const isTooLarge = (item: unknown): boolean => Buffer.byteLength(JSON.stringify(item)) > MOST_ITEM_BYTES;

function draft(
  watch: WatchOf,
  at: number,
  { type, ...data }: Pick<EventDraft, 'type'> & EventDraft['data'],
): EventDraft {
  const { accountId, applicationId, connectionName, id: watchId, toolName } = watch;
  return {
    applicationId,
    type,
    at,
    accountId,
    connectionName,
    data: { ...namesOf(accountId, watch), watchId, toolName, ...data },
  };
}

/** Builds the event of a changed item. A large item is left out. */
export function itemEvent(watch: WatchOf, { type, item }: ItemChange, at: number): EventDraft {
  const { id: itemId, version, data } = item;
  return draft(watch, at, {
    type,
    itemId,
    ...(version !== undefined && { version }),
    ...(data !== undefined && (isTooLarge(data) ? { itemOmitted: true } : { item: data })),
  });
}

/** Builds the event of a watch that has paused or failed. */
export const failedEvent = (
  watch: WatchOf,
  { state, reason, at }: { readonly state: WatchState; readonly reason: string; readonly at: number },
): EventDraft => draft(watch, at, { type: 'watch.failed', state, reason });
