import { LRUCache } from 'lru-cache';
import { entryLimit } from '../concurrency/entry-limit.js';
import type { ServiceError } from '../errors.js';
import type { EventRow } from '../storage/event-rows.js';
import { isUnreadable } from '../vault/ciphertext.js';
import type { SecretLocation, Vault } from '../vault/vault.js';

type StoredBody = Pick<EventRow, 'applicationId' | 'id' | 'body' | 'payload'>;

export const payloadLocation = ({
  applicationId,
  id,
}: Pick<EventRow, 'applicationId' | 'id'>): SecretLocation => ({
  applicationId,
  table: 'events',
  rowId: id,
  column: 'payload',
});

/**
 * Last characters of the stored JSON text of an event with a payload: `null` where the payload belongs, and the closing
 * braces of `data` and of the event.
 */
const WITHOUT_PAYLOAD = 'null}}';

/** Replaces `WITHOUT_PAYLOAD` in an event whose payload cannot be decrypted. */
const UNREADABLE = 'null,"unreadable":true}}';
/**
 * Maximum number of events with unreadable payloads that this process remembers, so that it logs each of them only
 * once.
 */
const MAX_REPORTED = 10_000;

export interface OpenBodyParts {
  readonly vault: Pick<Vault, 'open'>;
  /** Called once for each event whose payload cannot be decrypted. */
  readonly onUnreadable: (applicationId: string, error: ServiceError) => void;
}

/**
 * Creates the function that returns an event's JSON text with the decrypted payload in the last property of `data`. The
 * property is `payload` for a webhook from an upstream, and `item` for an item of a watched list. It is `null` if the
 * payload was erased together with its account. If the payload cannot be decrypted, the property is `null` and
 * `data.unreadable` is true, so that a lost key blocks neither the list of events nor deliveries.
 */
export function createOpenBody({ vault, onUnreadable }: OpenBodyParts) {
  const reported = new LRUCache<string, true>(entryLimit(MAX_REPORTED));

  function withoutPayload({ applicationId, id, body }: StoredBody, error: unknown): string {
    if (!isUnreadable(error)) throw error;
    if (!reported.has(id)) onUnreadable(applicationId, error);
    reported.set(id, true);
    return `${body.slice(0, -WITHOUT_PAYLOAD.length)}${UNREADABLE}`;
  }

  return async function openBody(event: StoredBody): Promise<string> {
    const { body, payload } = event;
    if (payload === null) return body;
    try {
      const text = await vault.open(payloadLocation(event), payload);
      return `${body.slice(0, -WITHOUT_PAYLOAD.length)}${text.reveal()}}}`;
    } catch (error) {
      return withoutPayload(event, error);
    }
  };
}

export type OpenBody = ReturnType<typeof createOpenBody>;
