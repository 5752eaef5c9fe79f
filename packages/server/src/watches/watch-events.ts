import { type EventDraft, namesOf } from '../events/describe-change.js';
import { type Secret, secret } from '../secret.js';
import type { WatchState } from '../storage/watch-rows.js';
import type { WatchOf } from '../storage/watches-table.js';
import type { ItemChange } from './find-changes.js';

/** Maximum size of an item in an event, in bytes. */
const MOST_ITEM_BYTES = 20_000;

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

/** Event of an item. `payload`: JSON text of the item, which is encrypted apart from the event. */
export interface ItemEvent {
  readonly draft: EventDraft;
  readonly payload: Secret | null;
}

/** Builds the event of a changed item. A large item is left out. */
export function itemEvent(watch: WatchOf, { type, item }: ItemChange, at: number): ItemEvent {
  const { id: itemId, version, data } = item;
  const text = data === undefined ? undefined : JSON.stringify(data);
  const isTooLarge = text !== undefined && Buffer.byteLength(text) > MOST_ITEM_BYTES;
  const payload = text === undefined || isTooLarge ? null : secret(text);
  return {
    draft: draft(watch, at, {
      type,
      itemId,
      ...(version !== undefined && { version }),
      ...(isTooLarge && { itemOmitted: true }),
      // The last field, because the decrypted item replaces the end of the stored body.
      ...(payload && { item: null }),
    }),
    payload,
  };
}

/** Builds the event of a watch that has paused or failed. */
export const failedEvent = (
  watch: WatchOf,
  { state, reason, at }: { readonly state: WatchState; readonly reason: string; readonly at: number },
): EventDraft => draft(watch, at, { type: 'watch.failed', state, reason });
