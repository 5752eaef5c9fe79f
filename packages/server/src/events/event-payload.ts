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

/** End of the stored body of an event with a payload: the last field of `data`, and both braces. */
const WITHOUT_PAYLOAD = 'null}}';

/**
 * Returns the JSON text of an event, with the decrypted payload as its last field of `data`: `payload` of a webhook, or
 * `item` of a watched list. The payload is erased with its account, and the field is `null` then.
 */
export async function openBody(vault: Pick<Vault, 'open'>, event: StoredBody): Promise<string> {
  const { body, payload } = event;
  if (payload === null) return body;
  const text = await vault.open(payloadPath(event), payload);
  return `${body.slice(0, -WITHOUT_PAYLOAD.length)}${text.reveal()}}}`;
}
