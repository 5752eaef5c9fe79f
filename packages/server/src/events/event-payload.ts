import type { EventRow } from '../storage/event-rows.js';
import type { SecretLocation, Vault } from '../vault/vault.js';

type StoredBody = Pick<EventRow, 'applicationId' | 'id' | 'body' | 'payload'>;

export const payloadPath = ({
  applicationId,
  id,
}: Pick<EventRow, 'applicationId' | 'id'>): SecretLocation => ({
  applicationId,
  table: 'events',
  rowId: id,
  column: 'payload',
});

/**
 * Last characters of the stored JSON text of an event with a payload: the last property of `data`, and the closing
 * braces of `data` and of the event.
 */
const WITHOUT_PAYLOAD = 'null}}';

/**
 * Returns the JSON text of an event, with the decrypted payload in the last property of `data`. This is `payload` for a
 * webhook, and `item` for an item of a watched list. It stays `null` if the payload was erased together with its
 * account.
 */
export async function openBody(vault: Pick<Vault, 'open'>, event: StoredBody): Promise<string> {
  const { body, payload } = event;
  if (payload === null) return body;
  const text = await vault.open(payloadPath(event), payload);
  return `${body.slice(0, -WITHOUT_PAYLOAD.length)}${text.reveal()}}}`;
}
