import { isOwnType, mayHavePayload } from '../names/event-types.js';
import type { EventRow } from '../storage/event-rows.js';
import type { Storage } from '../storage/storage.js';
import type { Vault } from '../vault/vault.js';
import { openBody } from './event-payload.js';

/** Event as it is stored, without the encrypted payload of an upstream. */
export type EventWithoutPayload = Pick<EventRow, 'applicationId' | 'id' | 'type' | 'body'>;

/**
 * Limited memory for payloads of upstreams, which all applications share. `take` throws unavailable if too little is
 * free.
 */
export interface PayloadMemory {
  open(applicationId: string): { take(bytes: number): void; release(): void };
}

export interface WithBodyParts {
  readonly storage: Pick<Storage, 'events'>;
  readonly vault: Pick<Vault, 'open'>;
  readonly memory: PayloadMemory;
}

/**
 * Bytes of memory that are reserved for sending one webhook payload. It can be 256 KiB long and exists four times:
 * encrypted, decrypted, in the JSON text, and in the request.
 */
const PAYLOAD_BYTES = 1024 * 1024;
/**
 * Bytes of memory that are reserved for sending one item of a watched list. It can be 20 kB long and exists four times,
 * like a webhook payload.
 */
const ITEM_BYTES = 80 * 1024;

/**
 * Creates the function that calls `work` with the complete JSON text of an event. It reserves memory for the payload
 * until `work` has ended.
 */
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
