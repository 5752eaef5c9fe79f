import { isOwnType, mayHavePayload } from '../names/event-types.js';
import type { EventRow } from '../storage/event-rows.js';
import type { Storage } from '../storage/storage.js';
import type { Vault } from '../vault/vault.js';
import { openBody } from './event-payload.js';

/** Event as it is stored, without its payload. */
export type EventWithoutPayload = Pick<EventRow, 'applicationId' | 'id' | 'type' | 'body'>;

/** Memory for payloads of upstreams, which the applications share. `take` throws unavailable if too little is free. */
export interface PayloadMemory {
  open(applicationId: string): { take(bytes: number): void; release(): void };
}

export interface WithBodyParts {
  readonly storage: Pick<Storage, 'events'>;
  readonly vault: Pick<Vault, 'open'>;
  readonly memory: PayloadMemory;
}

/** Memory in bytes for a payload of a webhook: 256 KiB each as ciphertext, text, body and bytes of the request. */
const PAYLOAD_BYTES = 1024 * 1024;
/** Memory in bytes for an item of a watched list: 20 kB in each of these forms. */
const ITEM_BYTES = 80 * 1024;

/** Creates the function that calls `work` with the JSON text of an event, and reserves memory for a payload meanwhile. */
export function createWithBody({ storage, vault, memory }: WithBodyParts) {
  return async function withBody<T>(
    { applicationId, id, type, body }: EventWithoutPayload,
    work: (body: string) => Promise<T>,
  ): Promise<T> {
    if (!mayHavePayload(type)) return work(body);
    const share = memory.open(applicationId);
    try {
      share.take(isOwnType(type) ? ITEM_BYTES : PAYLOAD_BYTES);
      const [stored] = await storage.events.listPayloads(applicationId, [id]);
      return await work(await openBody(vault, { applicationId, id, body, payload: stored?.payload ?? null }));
    } finally {
      share.release();
    }
  };
}

export type WithBody = ReturnType<typeof createWithBody>;
