import type { MemoryShare } from '../concurrency/body-memory.js';
import type { EventBody } from '../storage/events-table.js';
import type { Storage } from '../storage/storage.js';
import type { OpenBody } from './event-payload.js';

/**
 * Limited memory for payloads from upstreams, which all applications share. `take` throws `unavailable` if too little
 * is free.
 */
export interface PayloadMemory {
  open(applicationId: string): MemoryShare;
}

export interface WithBodyParts {
  readonly storage: Pick<Storage, 'events'>;
  readonly openBody: OpenBody;
  readonly memory: PayloadMemory;
}

/**
 * Number of copies of a payload while it is sent: encrypted, decrypted, in the JSON text, and in the request or
 * response. Each counts with the length of the encrypted one, which Base64 makes a third longer than the others.
 */
const COPIES = 4;

/** Returns the number of bytes of memory to reserve for an event's encrypted payload. */
export const memoryFor = ({ payloadBytes }: Pick<EventBody, 'payloadBytes'>): number => payloadBytes * COPIES;

/**
 * Creates the function that calls `work` with the complete JSON text of an event. It reserves memory for the event's
 * payload until `work` has ended.
 */
export function createWithBody({ storage, openBody, memory }: WithBodyParts) {
  return async function withBody<T>(
    event: Omit<EventBody, 'at'>,
    work: (body: string) => Promise<T>,
  ): Promise<T> {
    const { applicationId, id, body } = event;
    if (event.payloadBytes === 0) return work(body);
    const share = memory.open(applicationId);
    try {
      share.take(memoryFor(event));
      const [stored] = await storage.events.listPayloads(applicationId, [id]);
      return await work(await openBody({ applicationId, id, body, payload: stored?.payload ?? null }));
    } finally {
      share.release();
    }
  };
}

export type WithBody = ReturnType<typeof createWithBody>;
