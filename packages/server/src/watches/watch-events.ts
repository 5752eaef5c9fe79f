import { type EventDraft, namesOf } from '../events/describe-change.js';
import { type Secret, secret } from '../secret.js';
import type { WatchState } from '../storage/watch-rows.js';
import type { WatchOf } from '../storage/watches-table.js';
import type { ItemChange } from './find-changes.js';

/** Maximum size in bytes of an item, as JSON, that an event contains. Larger items are omitted from their events. */
const MAX_ITEM_BYTES = 20_000;

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

/**
 * Event about an item of a watched list. `payload`: the item as JSON text, which is stored encrypted and apart from the
 * rest of the event.
 */
export interface ItemEvent {
  readonly draft: EventDraft;
  readonly payload: Secret | null;
}

/** Builds the event about a created, changed or deleted item. Omits an item of more than `MAX_ITEM_BYTES`. */
export function itemEvent(watch: WatchOf, { type, item }: ItemChange, at: number): ItemEvent {
  const { id: itemId, version, data } = item;
  const text = data === undefined ? undefined : JSON.stringify(data);
  const isTooLarge = text !== undefined && Buffer.byteLength(text) > MAX_ITEM_BYTES;
  const payload = text === undefined || isTooLarge ? null : secret(text);
  return {
    draft: draft(watch, at, {
      type,
      itemId,
      ...(version !== undefined && { version }),
      ...(isTooLarge && { itemOmitted: true }),
      // Must be the last property, because delivery replaces the `null` at the end of the event's JSON with the
      // decrypted item.
      ...(payload && { item: null }),
    }),
    payload,
  };
}

/** Builds the event that reports that a watch has become paused or failed. */
export const failedEvent = (
  watch: WatchOf,
  { state, reason, at }: { readonly state: WatchState; readonly reason: string; readonly at: number },
): EventDraft => draft(watch, at, { type: 'watch.failed', state, reason });
